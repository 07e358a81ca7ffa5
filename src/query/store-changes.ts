/** Holds what changed from one release to another, in a few bytes for each change. */
import { type ComparedStores, type StoreName, StoreNames } from '../snapshot/compared-stores.ts';
import { compareReleases } from './compare-releases.ts';
import type { ChangesQuery } from './queries.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

const [ADDED, CHANGED, REMOVED] = [0, 1, 2];

/** One change, as partners see it: with the last slug of a removed store. */
export interface StoreChange extends StoreName {
  readonly change: ChangeKind;
}

/** A page of changes. */
export interface ChangesPage {
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
