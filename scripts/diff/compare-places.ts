/** The stores of two releases as their index parts tell of them: which are one store, and how they differ. */
import { distance } from 'geokdbush';
import { compareReleases } from '../../src/query/store-changes.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';

/** A store of both releases, by its ordinals, as the later one names it. */
export interface StorePair extends StoreName {
  readonly live: number;
  readonly next: number;
}

/** The main location of a store, in degrees; null: its address is hidden. */
type MainPoint = { readonly lat: number; readonly lng: number } | null;

/** What the index parts of a release tell of a store. */
export interface ListedStore extends StoreName {
  readonly point: MainPoint;
  readonly verticales: readonly string[];
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

/** Returns what tells of a store by its ordinal. @throws CommandError release_damaged */
export async function listStores(reader: ReleaseReader): Promise<(store: number) => ListedStore> {
  const { names } = await reader.compared();
  const points = await readMainPoints(reader);
  const verticales = await reader.table(setsPart('verticales'));
  return (store) => ({
    ...names.name(store),
    point: points[store] ?? null,
    verticales: verticales.wordsOf(verticales.sets[store] as number),
  });
}

/** The main location of each store, by ordinal. */
async function readMainPoints(reader: ReleaseReader): Promise<MainPoint[]> {
  const { tree, stores, locationIndexes } = await reader.table(PLACES_PART);
  const points = Array<MainPoint>(reader.manifest.storeCount).fill(null);
  stores.forEach((store, index) => {
    const [lng, lat] = tree.coords.subarray(2 * index) as unknown as [number, number];
    if (locationIndexes[index] === 0) points[store] = { lat, lng };
  });
  return points;
}

/**
 * Kilometres from one main location to another, rounded to millimetres, so that two longitudes of one point
 * are not apart; 0 when one of the two is hidden.
 */
export function kilometresBetween(from: MainPoint, to: MainPoint): number {
  if (!from || !to) return 0;
  return Math.round(1e6 * distance(from.lng, from.lat, to.lng, to.lat)) / 1e6;
}
