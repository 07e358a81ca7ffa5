/** The stores of two releases as their index parts tell of them: which are one store, and which differ. */
import { compareReleases } from '../../src/query/store-changes.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';

/** A store of both releases, by its ordinals, as the later one names it. */
export interface StorePair extends StoreName {
  readonly live: number;
  readonly next: number;
}

/**
 * Stores that were added, removed, and changed, in order of id.
 * @param before null: no release
 * @throws CommandError release_damaged
 */
export async function pairStores(before: ReleaseReader | null, after: ReleaseReader) {
  const added: StoreName[] = [];
  const removed: StoreName[] = [];
  const changed: StorePair[] = [];
  const { release, storeCount } = after.manifest;
  // Equal ids stand for equal content, whatever has become of the objects.
  if (before?.manifest.release === release) return { added, removed, changed };
  const is = await after.compared();
  if (!before) {
    for (let store = 0; store < storeCount; store++) added.push(is.names.name(store));
    return { added, removed, changed };
  }
  const was = await before.compared();
  for (const { before: live, after: next } of compareReleases(was, is)) {
    if (live === null) added.push(is.names.name(next as number));
    else if (next === null) removed.push(was.names.name(live));
    else changed.push({ ...is.names.name(next), live, next });
  }
  return { added, removed, changed };
}

/** Returns which stores show their address, by ordinal. @throws CommandError release_damaged */
export async function findShownStores(reader: ReleaseReader): Promise<ReadonlySet<number>> {
  const { stores } = await reader.table(PLACES_PART);
  return new Set(stores);
}
