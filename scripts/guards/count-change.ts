/** What the index parts of two releases tell of the change from one to the other, exactly. */
import { VERTICALES } from '../../src/model/enumerations.ts';
import { compareReleases } from '../../src/query/compare-releases.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { MaskColumn } from '../../src/snapshot/store-columns.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { type ReleaseDiff, sortOut } from '../diff/diff-releases.ts';
import { kilometresBetween, type PlacedStores, readPlacedStores } from './placed-stores.ts';
import type { Part } from './table.ts';

/** Kilometres from which on a store has moved. */
const FAR = 0.1;

/** A verticale of fewer stores than this has no share. */
const FEWEST_OF_VERTICALE = 5;

/** A store, with what stood there and what would stand there. */
export interface Example extends StoreName {
  readonly before: string;
  readonly after: string;
}

/** Stores that a row counts, and the first of them. */
export interface Found extends Part {
  readonly examples: readonly Example[];
}

/** What the index parts tell. */
export async function countExactly(
  was: ReleaseReader,
  is: ReleaseReader,
  { added, removed }: ReleaseDiff,
): Promise<Map<string, Found>> {
  const [before, after] = [await readPlacedStores(was), await readPlacedStores(is)];
  const { changed } = sortOut(compareReleases(before.stores, after.stores));
  const stores = before.stores.storeCount;
  const named = (store: number) => before.stores.names.name(store);
  const isShown = ({ points }: PlacedStores, store: number) => !Number.isNaN(points.lat[store]);
  const pairs = (
    isIt: (live: number, next: number) => boolean,
    tell: (of: PlacedStores, store: number) => string,
  ) =>
    changed
      .filter(({ live, next }) => isIt(live, next))
      .map(({ live, next }) => ({
        ...named(live),
        before: tell(before, live),
        after: tell(after, next),
      }));
  const slug = (of: PlacedStores, store: number) => of.stores.names.name(store).slug;
  const point = (of: PlacedStores, store: number) =>
    isShown(of, store) ? `${of.points.lat[store]}, ${of.points.lng[store]}` : 'hidden';
  const shownBefore = before.points.lat.filter((lat) => !Number.isNaN(lat)).length;
  const found = (of: number, examples: readonly Example[]) => ({
    count: examples.length,
    of,
    examples,
  });
  const gone = (all: readonly StoreName[], [then, now]: readonly [string, string]) =>
    all.map((store) => ({ ...store, before: then, after: now }));
  const isMoved = (a: number, b: number) =>
    kilometresBetween(before.points, a, after.points, b) >= FAR;
  const hides = (a: number, b: number) => isShown(before, a) && !isShown(after, b);
  const shows = (a: number, b: number) => !isShown(before, a) && isShown(after, b);
  const isRenamed = (a: number, b: number) => slug(before, a) !== slug(after, b);
  return new Map<string, Found>([
    ['removed', found(stores, gone(removed, ['there', 'gone']))],
    ['added', found(stores, gone(added, ['not there', 'there']))],
    ['slug', found(stores, pairs(isRenamed, slug))],
    ['position', found(shownBefore, pairs(isMoved, point))],
    ['shown', found(stores - shownBefore, pairs(shows, point))],
    ['hidden', found(stores, pairs(hides, point))],
    ['each-verticale', await worstVerticale(was, is, pairs)],
  ]);
}

/** The verticale that more than a third of its stores lose, or none. */
async function worstVerticale(
  was: ReleaseReader,
  is: ReleaseReader,
  pairs: (
    isIt: (live: number, next: number) => boolean,
    tell: (of: PlacedStores, store: number) => string,
  ) => Example[],
): Promise<Found> {
  const [before, after] = [await was.verticales(), await is.verticales()];
  const has = (masks: MaskColumn, store: number, bit: number) => ((masks[store] ?? 0) >> bit) & 1;
  for (const [bit, verticale] of VERTICALES.entries()) {
    const of = before.filter((mask) => (mask >> bit) & 1).length;
    const isLost = (a: number, b: number) => has(before, a, bit) > has(after, b, bit);
    const examples = pairs(isLost, () => verticale).map((each) => ({ ...each, after: 'lost' }));
    if (of >= FEWEST_OF_VERTICALE && examples.length > of / 3) {
      return { count: examples.length, of, examples };
    }
  }
  return { count: 0, of: before.length, examples: [] };
}
