/** Which stores two releases have in common, told by their store tables alone. */
import type { IdTable } from '../../src/snapshot/id-table.ts';
import type { StoreTable } from '../../src/snapshot/store-table.ts';

/** A store by its ordinals in two releases. */
export interface StorePair {
  readonly live: number;
  readonly next: number;
}

export interface StoreMatch {
  /** Ordinals in the next release of stores that the live one lacks. */
  readonly added: readonly number[];
  /** Ordinals in the live release of stores that the next one lacks. */
  readonly removed: readonly number[];
  /**
   * Stores of both releases that may differ: those whose chunk is not in both. In the order of the
   * next release's chunks, so that records which lie together are read together.
   */
  readonly suspects: readonly StorePair[];
}

/** What stores are told by. */
export interface StoreTables {
  readonly stores: StoreTable;
  readonly ids: IdTable;
}

/** One walk along both tables in order of id finds everything. */
export function matchStores(live: StoreTables, next: StoreTables): StoreMatch {
  const added: number[] = [];
  const removed: number[] = [];
  const suspects: StorePair[] = [];
  const isSame = sameRecords(live.stores, next.stores);
  const [liveOrder, nextOrder] = [live.ids.order, next.ids.order];
  let [a, b] = [0, 0];
  while (a < liveOrder.length || b < nextOrder.length) {
    const pair = { live: liveOrder[a] as number, next: nextOrder[b] as number };
    // The end of a table comes after every id.
    const [left, right] = [a < liveOrder.length, b < nextOrder.length];
    const order = left && right ? compareIds(live.ids, next.ids, pair) : left ? -1 : 1;
    if (order === 0 && !isSame(pair)) suspects.push(pair);
    if (order < 0) removed.push(pair.live);
    if (order > 0) added.push(pair.next);
    if (order <= 0) a++;
    if (order >= 0) b++;
  }
  const chunkOf = (pair: StorePair) => next.stores.recordChunk[pair.next] as number;
  return { added, removed, suspects: suspects.sort((x, y) => chunkOf(x) - chunkOf(y)) };
}

function compareIds(live: IdTable, next: IdTable, pair: StorePair): number {
  const [left, right] = [live.id(pair.live), next.id(pair.next)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Records at the same place of a chunk that both releases have are the same bytes. */
function sameRecords(live: StoreTable, next: StoreTable) {
  const liveHashes = Array.from({ length: live.chunkCount }, (_, chunk) => live.chunkHash(chunk));
  const nextHashes = Array.from({ length: next.chunkCount }, (_, chunk) => next.chunkHash(chunk));
  return ({ live: a, next: b }: StorePair): boolean =>
    liveHashes[live.recordChunk[a] as number] === nextHashes[next.recordChunk[b] as number] &&
    live.recordOffset[a] === next.recordOffset[b];
}
