/** The stores of two releases as their index parts tell of them, and which of them are one store. */
import { compareReleases } from '../../src/query/compare-releases.ts';
import { DistanceFrom } from '../../src/query/great-circle.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { sortOut } from './diff-releases.ts';

/** The main location of a store, in degrees; null: its address is hidden. */
export type MainPoint = { readonly lat: number; readonly lng: number } | null;

/** What the index parts of a release tell of a store. */
export interface ListedStore extends StoreName {
  readonly point: MainPoint;
  readonly verticales: readonly string[];
}

/** Stores that were added, removed, and changed, in order of id. @throws CommandError release_damaged */
export async function pairStores(was: ReleaseReader, is: ReleaseReader) {
  const before = await readStores(was);
  const after = await readStores(is);
  const { added, removed, changed } = sortOut(
    compareReleases(await was.compared(), await is.compared()),
  );
  return {
    added: added.map(after),
    removed: removed.map(before),
    changed: changed.map(({ live, next }) => [before(live), after(next)] as const),
  };
}

/** Returns what tells of a store by its ordinal. */
async function readStores(reader: ReleaseReader): Promise<(store: number) => ListedStore> {
  const { names } = await reader.compared();
  const points = await readMainPoints(reader);
  const verticales = await reader.table(setsPart('verticales'));
  return (store) => {
    const { id, slug } = names.name(store);
    const words = verticales.wordsOf(verticales.sets[store] as number);
    return { id, slug, point: points[store] ?? null, verticales: words };
  };
}

/** The main location of each store, by ordinal. */
async function readMainPoints(reader: ReleaseReader): Promise<MainPoint[]> {
  const { tree, store, number } = await reader.table(PLACES_PART);
  const points = Array<MainPoint>(reader.manifest.storeCount).fill(null);
  store.forEach((ordinal, place) => {
    const [lng, lat] = tree.coords.subarray(2 * place) as unknown as [number, number];
    if (number[place] === 0) points[ordinal] = { lat, lng };
  });
  return points;
}

/** Kilometres from one main location to another; 0 when one of the two is hidden. */
export function kilometresBetween(from: MainPoint, to: MainPoint): number {
  return from && to ? new DistanceFrom(from.lat, from.lng).to(to.lat, to.lng) : 0;
}
