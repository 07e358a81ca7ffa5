/** What the index parts of two releases tell of the change from one to the other, exactly. */
import { VERTICALES } from '../../src/model/enumerations.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { type SetTable, setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { FIGURES_PART } from '../compile/count-figures.ts';
import { kilometresBetween, type ListedStore, listStores } from '../diff/compare-places.ts';
import type { ReleaseDiff } from '../diff/diff-releases.ts';
import type { Part } from './table.ts';

/** Kilometres from which on a store has moved. */
const FAR = 0.1;

/** A verticale of fewer stores than this has no share. */
const FEWEST_OF_VERTICALE = 5;

/** A store, with what stood there and what would stand there. */
export interface Example extends StoreName {
  /** Of the value, dotted; absent where the row itself says what it is. */
  readonly path?: string;
  readonly before: string;
  readonly after: string;
}

/** Stores that a row counts, and the first of them. */
export interface Found extends Part {
  readonly examples: readonly Example[];
}

/** Counts the stores of which `isIt` is true, and shows them as `tell` does. */
type Count = (
  of: number,
  isIt: (before: ListedStore, after: ListedStore) => boolean,
  tell: (store: ListedStore) => string,
) => Found;

/** What the index parts tell. */
export async function countExactly(
  was: ReleaseReader,
  is: ReleaseReader,
  { added, removed, changed }: ReleaseDiff,
): Promise<Map<string, Found>> {
  const [before, after] = [await listStores(was), await listStores(is)];
  const pairs = changed.map(({ live, next }) => [before(live), after(next)] as const);
  const { stores, shown } = await was.table(FIGURES_PART);
  const found = (of: number, examples: readonly Example[]) => ({
    count: examples.length,
    of,
    examples,
  });
  const count: Count = (of, isIt, tell) => {
    const those = pairs.filter((pair) => isIt(...pair));
    const told = those.map(([a, b]) => {
      const { id, slug } = a;
      return { id, slug, before: tell(a), after: tell(b) };
    });
    return found(of, told);
  };
  const gone = removed.map((store) => ({ ...store, before: 'there', after: 'gone' }));
  const come = added.map((store) => ({ ...store, before: 'not there', after: 'there' }));
  const slug = ({ slug }: ListedStore) => slug;
  const place = ({ point }: ListedStore) => (point ? `${point.lat}, ${point.lng}` : 'hidden');
  const isMoved = (a: ListedStore, b: ListedStore) => kilometresBetween(a.point, b.point) >= FAR;
  const verticales = await was.table(setsPart('verticales'));
  return new Map<string, Found>([
    ['removed', found(stores, gone)],
    ['added', found(stores, come)],
    ['slug', count(stores, (a, b) => a.slug !== b.slug, slug)],
    ['position', count(shown, isMoved, place)],
    ['shown', count(stores - shown, (a, b) => a.point === null && b.point !== null, place)],
    ['hidden', count(stores, (a, b) => a.point !== null && b.point === null, place)],
    ['each-verticale', worstVerticale(verticales, count)],
  ]);
}

/** The verticale that more than a third of its stores lose, or none. */
function worstVerticale(before: SetTable, count: Count): Found {
  const counts = before.count(Uint32Array.from(before.sets.keys()));
  for (const verticale of VERTICALES) {
    const has = ({ verticales }: ListedStore) => verticales.includes(verticale);
    const of = counts.get(verticale) ?? 0;
    const found = count(
      of,
      (a, b) => has(a) && !has(b),
      (store) => (has(store) ? verticale : 'lost'),
    );
    if (of >= FEWEST_OF_VERTICALE && found.count > of / 3) return found;
  }
  return { count: 0, of: before.sets.length, examples: [] };
}
