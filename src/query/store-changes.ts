/** Compares two releases, and holds what changed, in a few bytes for each change. */
import { type ComparedStores, type StoreName, StoreNames } from '../snapshot/compared-stores.ts';
import type { ChangesQuery } from './queries.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

type ChangeKind = (typeof CHANGE_KINDS)[number];

const [ADDED, CHANGED, REMOVED] = [0, 1, 2];

/** One change, as partners see it: with the last slug of a removed store. */
interface StoreChange extends StoreName {
  readonly change: ChangeKind;
}

/** A page of changes. */
interface ChangesPage {
  readonly docs: readonly StoreChange[];
  /** Whether more changes follow. */
  readonly hasMore: boolean;
}

export class StoreChanges {
  /** No changes. */
  static readonly NONE = new StoreChanges([], StoreNames.copy([]));

  private readonly names: StoreNames;
  /** Indexes in `CHANGE_KINDS`. */
  private readonly kinds: Uint8Array;

  private constructor(kinds: readonly number[], names: StoreNames) {
    this.kinds = Uint8Array.from(kinds);
    this.names = names;
  }

  /**
   * Returns the changes between two releases, copied out of their parts.
   * @throws SnapshotFormatError
   */
  static between(before: ComparedStores, after: ComparedStores): StoreChanges {
    const kinds: number[] = [];
    const chosen: (readonly [StoreNames, number])[] = [];
    for (const { before: old, after: next } of compareReleases(before, after)) {
      kinds.push(old === null ? ADDED : next === null ? REMOVED : CHANGED);
      chosen.push(next === null ? [before.names, old as number] : [after.names, next]);
    }
    return new StoreChanges(kinds, StoreNames.copy(chosen));
  }

  get total(): number {
    return this.kinds.length;
  }

  /** Bytes of memory that it takes. */
  get bytes(): number {
    return this.kinds.length + this.names.bytes;
  }

  page({ after, skip, limit }: ChangesQuery): ChangesPage {
    const first = Math.min(this.total, after === null ? skip : this.names.ids.countUpTo(after));
    const end = Math.min(this.total, first + limit);
    const docs = Array.from({ length: end - first }, (_, index) => this.change(first + index));
    return { docs, hasMore: end < this.total };
  }

  private change(index: number): StoreChange {
    const change = CHANGE_KINDS[this.kinds[index] as number] as ChangeKind;
    return { ...this.names.name(index), change };
  }
}

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
    const alike = before.countAlike(old, after, next, most);
    old += alike;
    next += alike;
    // After a whole block the next one begins, and after the end of both nothing is left.
    if (alike === BLOCK || (old === before.storeCount && next === after.storeCount)) continue;
    const order = compareNext(before, old, after, next);
    differences.push({ before: order > 0 ? null : old, after: order < 0 ? null : next });
    if (order <= 0) old++;
    if (order >= 0) next++;
  }
  return differences;
}

/** Compares the ids of the next stores. The end of a release comes after every id. */
function compareNext(
  before: ComparedStores,
  old: number,
  after: ComparedStores,
  next: number,
): number {
  if (old === before.storeCount) return 1;
  if (next === after.storeCount) return -1;
  return before.compareIds(old, after, next);
}
