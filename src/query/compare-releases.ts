/** Finds the stores that differ between two releases. */
import type { ComparedStores } from '../snapshot/compared-stores.ts';

/** A store that differs, by its ordinals; null: that release lacks it. */
export interface Difference {
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
