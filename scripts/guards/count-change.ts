/** What the index parts of two releases tell of the change from one to the other, exactly. */
import { VERTICALES } from '../../src/model/enumerations.ts';
import { compareReleases } from '../../src/query/compare-releases.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { type SetTable, setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { type ReleaseDiff, sortOut } from '../diff/diff-releases.ts';
import { kilometresBetween, type MainPoint, readMainPoints } from '../diff/main-points.ts';
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

/** What the index parts of a release tell of a store. */
interface Listed extends StoreName {
  readonly point: MainPoint;
  readonly verticales: readonly string[];
}

/** Counts the stores of which `isIt` is true, and shows them as `tell` does. */
type Count = (
  of: number,
  isIt: (before: Listed, after: Listed) => boolean,
  tell: (store: Listed) => string,
) => Found;

/** What the index parts tell. */
export async function countExactly(
  was: ReleaseReader,
  is: ReleaseReader,
  { added, removed }: ReleaseDiff,
): Promise<Map<string, Found>> {
  const [before, after] = [await readListed(was), await readListed(is)];
  const { changed } = sortOut(compareReleases(before.compared, after.compared));
  const pairs = changed.map(({ live, next }) => [before.at(live), after.at(next)] as const);
  const found = (of: number, examples: readonly Example[]) => ({
    count: examples.length,
    of,
    examples,
  });
  const count: Count = (of, isIt, tell) => {
    const those = pairs.filter((pair) => isIt(...pair));
    const told = those.map(([a, b]) => ({ ...nameOf(a), before: tell(a), after: tell(b) }));
    return found(of, told);
  };
  const gone = removed.map((store) => ({ ...store, before: 'there', after: 'gone' }));
  const come = added.map((store) => ({ ...store, before: 'not there', after: 'there' }));
  const stores = before.points.length;
  const shown = before.points.filter((point) => point !== null).length;
  const place = ({ point }: Listed) => (point ? `${point.lat}, ${point.lng}` : 'hidden');
  const isMoved = (a: Listed, b: Listed) => kilometresBetween(a.point, b.point) >= FAR;
  return new Map<string, Found>([
    ['removed', found(stores, gone)],
    ['added', found(stores, come)],
    [
      'slug',
      count(
        stores,
        (a, b) => a.slug !== b.slug,
        ({ slug }) => slug,
      ),
    ],
    ['position', count(shown, isMoved, place)],
    ['shown', count(stores - shown, (a, b) => a.point === null && b.point !== null, place)],
    ['hidden', count(stores, (a, b) => a.point !== null && b.point === null, place)],
    ['each-verticale', worstVerticale(before.verticales, count)],
  ]);
}

async function readListed(reader: ReleaseReader) {
  const compared = await reader.compared();
  const points = await readMainPoints(reader);
  const verticales = await reader.table(setsPart('verticales'));
  const at = (store: number): Listed => ({
    ...compared.names.name(store),
    point: points[store] ?? null,
    verticales: verticales.wordsOf(verticales.sets[store] as number),
  });
  return { compared, points, verticales, at };
}

function nameOf({ id, slug }: StoreName): StoreName {
  return { id, slug };
}

/** The verticale that more than a third of its stores lose, or none. */
function worstVerticale(before: SetTable, count: Count): Found {
  const counts = before.count(Uint32Array.from(before.sets.keys()));
  for (const verticale of VERTICALES) {
    const has = ({ verticales }: Listed) => verticales.includes(verticale);
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
