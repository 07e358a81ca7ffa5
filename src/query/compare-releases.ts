/** Which stores of two releases differ, told by the parts that are made for it. */
import type { ComparedStores } from '../snapshot/compared-stores.ts';
import { compareIds } from '../snapshot/id-text.ts';

export const CHANGE_KINDS = ['added', 'changed', 'removed'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

export const [ADDED, CHANGED, REMOVED] = [0, 1, 2];

/** The stores that differ, in the order of their ids. */
export interface Differences {
  /** Numbers of `CHANGE_KINDS`. */
  readonly kinds: readonly number[];
  /** The ordinal of each: of a removed store in the release before, of others in the one after. */
  readonly stores: readonly number[];
}

/**
 * Stores that are compared in one go. A fresh isolate runs code that was not optimized yet, and a
 * function that is called again is optimized much sooner than a long loop.
 */
const BLOCK = 128;

/**
 * One walk along both releases in the order of ids. Ids that differ in case alone are two stores: a
 * copy that is kept by id would else keep the old one.
 */
export function compareReleases(before: ComparedStores, after: ComparedStores): Differences {
  const kinds: number[] = [];
  const stores: number[] = [];
  let [old, next] = [0, 0];
  while (old < before.storeCount || next < after.storeCount) {
    const most = Math.min(BLOCK, before.storeCount - old, after.storeCount - next);
    const alike = before.countAlike(old, after, next, most);
    old += alike;
    next += alike;
    // After a whole block the next one begins, and after the end of both nothing is left.
    if (alike === BLOCK || (old === before.storeCount && next === after.storeCount)) continue;
    const order = compareNext(before, old, after, next);
    kinds.push(order < 0 ? REMOVED : order > 0 ? ADDED : CHANGED);
    stores.push(order < 0 ? old : next);
    if (order <= 0) old++;
    if (order >= 0) next++;
  }
  return { kinds, stores };
}

/** The end of a release comes after every id. */
function compareNext(
  before: ComparedStores,
  old: number,
  after: ComparedStores,
  next: number,
): number {
  if (old === before.storeCount) return 1;
  if (next === after.storeCount) return -1;
  return compareIds(before.id(old), after.id(next));
}
