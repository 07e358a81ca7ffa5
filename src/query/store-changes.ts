/**
 * Compares two releases and keeps the changes, in a few bytes for each, so that the pages of a walk, and
 * partners who ask for the same, cost one comparison. The parts that are compared are not kept: the parts
 * of two releases of 100,000 stores are as large as all bytes that may be under way at once.
 */
import { BudgetCache } from '../cache/budget-cache.ts';
import { partOf } from '../load/object-reader.ts';
import { SharedReads } from '../load/shared-reads.ts';
import type { SnapshotMemory } from '../load/snapshot-memory.ts';
import {
  type ComparedStores,
  copyNames,
  countAlike,
  readComparedStores,
  type StoreNames,
} from '../snapshot/compared-stores.ts';
import { IDS_PART } from '../snapshot/id-table.ts';
import { COMPARED_NAME, type PublishedManifest } from '../snapshot/manifest.ts';
import type { ReadContext } from '../storage/reading.ts';
import type { ChangesQuery } from './queries.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

/** What changed between two releases. */
export type StoreChanges = ReturnType<typeof changesOf>;

/** Makes the changes of stores with these names. @param kinds indexes in `CHANGE_KINDS` */
function changesOf(kinds: Uint8Array, names: StoreNames) {
  const total = kinds.length;

  /** Returns one change, as partners see it: with the last slug of a removed store. */
  function changeAt(index: number) {
    return { ...names.name(index), change: CHANGE_KINDS[kinds[index] as number] };
  }

  /** Returns a page of changes, and whether more follow. */
  function page({ after, skip, limit }: ChangesQuery) {
    const first = Math.min(total, after === null ? skip : names.ids.countUpTo(after));
    const end = Math.min(total, first + limit);
    const docs = Array.from({ length: end - first }, (_, index) => changeAt(first + index));
    return { docs, hasMore: end < total };
  }

  /** Bytes of memory that the changes take. */
  const bytes = total + names.bytes;
  return { total, bytes, page };
}

/** Returns the changes between two releases, copied out of their parts. @throws SnapshotFormatError */
function changesBetween(before: ComparedStores, after: ComparedStores): StoreChanges {
  const kinds: number[] = [];
  const chosen: (readonly [StoreNames, number])[] = [];
  for (const { before: old, after: next } of compareReleases(before, after)) {
    const kind = old === null ? 'added' : next === null ? 'removed' : 'changed';
    kinds.push(CHANGE_KINDS.indexOf(kind));
    chosen.push(next === null ? [before.names, old as number] : [after.names, next]);
  }
  return changesOf(Uint8Array.from(kinds), copyNames(chosen));
}

const NO_CHANGES = changesOf(new Uint8Array(), copyNames([]));

/** A store that differs, by its ordinals; null: that release lacks it. */
interface Difference {
  readonly before: number | null;
  readonly after: number | null;
}

/**
 * Stores that one call compares. In a fresh isolate V8 optimizes a function that is called again
 * much sooner than a long loop.
 */
const BLOCK = 128;

/** Compares two releases in one walk, in the order of ids. */
export function compareReleases(before: ComparedStores, after: ComparedStores): Difference[] {
  const differences: Difference[] = [];
  let [old, next] = [0, 0];
  while (old < before.storeCount || next < after.storeCount) {
    const most = Math.min(BLOCK, before.storeCount - old, after.storeCount - next);
    const alike = countAlike(before, old, after, next, most);
    old += alike;
    next += alike;
    // After a whole block the next one begins, and after the end of both nothing is left.
    if (alike === BLOCK || (old === before.storeCount && next === after.storeCount)) continue;
    // The end of a release comes after every id.
    const isOver = old === before.storeCount ? 1 : next === after.storeCount ? -1 : 0;
    const order = isOver || before.names.ids.compare(old, after.names.ids.bytes, next);
    differences.push({ before: order > 0 ? null : old, after: order < 0 ? null : next });
    if (order <= 0) old++;
    if (order >= 0) next++;
  }
  return differences;
}

/** Bytes of changes that are kept: enough for 100,000 changed stores. */
const CHANGES_BYTES = 8 * 1024 * 1024;

export class ChangeFinder {
  private readonly memory: SnapshotMemory;
  private readonly known = new BudgetCache<StoreChanges>(CHANGES_BYTES, ({ bytes }) => bytes);
  private readonly reads = new SharedReads((key) => this.known.get(key));

  constructor(memory: SnapshotMemory) {
    this.memory = memory;
  }

  /**
   * Returns what changed from `before` to `after`.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async find(
    before: PublishedManifest,
    after: PublishedManifest,
    context: ReadContext,
  ): Promise<StoreChanges> {
    if (before.release === after.release) return NO_CHANGES;
    const key = `${before.release} ${after.release}`;
    const begin = () => {
      // All at once: their bytes take less time than a second wait for storage.
      const refs = [before, after].flatMap((manifest) => [
        partOf(manifest, IDS_PART.name),
        partOf(manifest, COMPARED_NAME),
      ]);
      const reads = this.memory.objects.read(refs, context, 1);
      return reads && [this.compare(key, before, after, reads)];
    };
    const found = await context.storage.measureWait(this.reads.load([key], begin, context));
    return found.get(key) as StoreChanges;
  }

  /**
   * Copies the changes out of the parts, of which nothing is kept. Rejections: SnapshotFormatError,
   * as a read fails.
   */
  private async compare(
    key: string,
    before: PublishedManifest,
    after: PublishedManifest,
    reads: readonly Promise<ArrayBuffer>[],
  ): Promise<StoreChanges> {
    type Four = [ArrayBuffer, ArrayBuffer, ArrayBuffer, ArrayBuffer];
    const [oldIds, old, nextIds, next] = (await Promise.all(reads)) as Four;
    const changes = changesBetween(
      readComparedStores(old, IDS_PART.read(oldIds, before.storeCount)),
      readComparedStores(next, IDS_PART.read(nextIds, after.storeCount)),
    );
    this.known.set(key, changes);
    this.memory.setAside(this.known.size);
    return changes;
  }
}
