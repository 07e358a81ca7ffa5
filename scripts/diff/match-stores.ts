/** Which stores two releases have in common, and which of these differ, told by index parts alone. */
import type { IdTable } from '../../src/snapshot/id-table.ts';
import type { FingerprintColumn } from '../../src/snapshot/store-columns.ts';

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
  /** Stores of both releases whose records differ, in order of id. */
  readonly changed: readonly StorePair[];
}

/** What stores are told by. */
export interface StoreTables {
  readonly ids: Pick<IdTable, 'storeCount' | 'at' | 'id'>;
  readonly fingerprints: Pick<FingerprintColumn, 'of'>;
}

/** One walk along both tables in order of id, whatever the case of its letters, finds everything. */
export function matchStores(live: StoreTables, next: StoreTables): StoreMatch {
  const added: number[] = [];
  const removed: number[] = [];
  const changed: StorePair[] = [];
  let [a, b] = [0, 0];
  while (a < live.ids.storeCount || b < next.ids.storeCount) {
    const pair = { live: live.ids.at(a), next: next.ids.at(b) };
    // The end of a table comes after every id.
    const [left, right] = [a < live.ids.storeCount, b < next.ids.storeCount];
    const order = left && right ? compareIds(live.ids, next.ids, pair) : left ? -1 : 1;
    if (order === 0 && differ(live, next, pair)) changed.push(pair);
    if (order < 0) removed.push(pair.live);
    if (order > 0) added.push(pair.next);
    if (order <= 0) a++;
    if (order >= 0) b++;
  }
  return { added, removed, changed };
}

function compareIds(live: StoreTables['ids'], next: StoreTables['ids'], pair: StorePair): number {
  const [left, right] = [live.id(pair.live), next.id(pair.next)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function differ(live: StoreTables, next: StoreTables, pair: StorePair): boolean {
  return live.fingerprints.of(pair.live) !== next.fingerprints.of(pair.next);
}
