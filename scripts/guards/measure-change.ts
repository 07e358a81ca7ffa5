/** What differs between two releases, as the guards look at it. */
import { VERTICALES, type Verticale } from '../../src/model/enumerations.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { IDS_PART } from '../../src/snapshot/id-table.ts';
import { type SetTable, setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { FIGURES_PART } from '../compile/count-figures.ts';
import { kilometresBetween, type ListedStore, listStores } from '../diff/compare-places.ts';
import {
  type ChangedStore,
  COMPARED_FIELDS,
  type ComparedRecords,
  type CompareOptions,
  diffReleases,
  type RecordPlace,
  type ReleaseDiff,
  readField,
  recordAt,
  sampleOf,
  type ValueDifference,
} from '../diff/diff-releases.ts';
import { shorten } from '../source/fault.ts';
import { fieldRowOf, isEmpty, type Part, TEXT_ROWS } from './table.ts';

/** Records that are read of changed stores, and of added ones. */
export const MOST_READ = 1_000;

/** Characters that are shown before the first difference of two long values. */
const SHARED = 10;

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

/** The stores of a verticale that lose it, of all that have it. */
export interface LostVerticale extends Found {
  readonly verticale: Verticale;
}

/** What a row of fields found in one store. */
export interface FieldFound {
  readonly isLost: boolean;
  readonly example: Example;
}

/** A change as the rows look at it. */
export type Change = Awaited<ReturnType<typeof measureChange>>;

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed stores.
 * @throws CommandError release_damaged
 */
export async function measureChange(
  was: ReleaseReader,
  is: ReleaseReader,
  options: Pick<CompareOptions, 'progress' | 'signal'>,
) {
  const lookedAt: ReadonlyMap<string, FieldFound>[] = [];
  const wrongChanged: WrongStore[] = [];
  const onChanged = (store: ChangedStore, records: ComparedRecords) => {
    lookedAt.push(readFields(store, records.differences));
    wrongChanged.push(findWrong(store, records.after, records.before));
  };
  const diff = await diffReleases(was, is, { ...options, mostRead: MOST_READ, onChanged });
  const { counts, lostVerticales } = await countExactly(was, is, diff);
  const wrongAdded = await findWrongAdded(is, diff.added);
  for (const { name } of TEXT_ROWS) {
    const [changed, added] = [examplesOf(name, wrongChanged), examplesOf(name, wrongAdded)];
    // Each that was looked at stands for as many as it was chosen of.
    const count =
      (changed.length * diff.changed.length) / Math.max(1, wrongChanged.length) +
      (added.length * diff.added.length) / Math.max(1, wrongAdded.length);
    counts.set(name, {
      count: Math.round(count),
      of: diff.stores,
      examples: [...changed, ...added],
    });
  }
  return {
    diff,
    /** What the release looks like that was there before. */
    figures: await was.table(FIGURES_PART),
    /** By the rows that count, and those of texts. */
    counts: counts as ReadonlyMap<string, Found>,
    lostVerticales,
    /** What was found in the changed stores whose records were read, by row. */
    lookedAt,
  };
}

/** What changed of a store, by row; what hiding an address takes along is not counted again. */
function readFields(
  store: StoreName,
  differences: readonly ValueDifference[],
): ReadonlyMap<string, FieldFound> {
  const found = new Map<string, FieldFound>();
  const place = differences.find(({ path }) => path === 'geo.location');
  const turned =
    place && (place.after === null ? 'hidden' : place.before === null ? 'shown' : null);
  for (const { path, before, after } of differences) {
    const isTurned = turned && /^geo\.|^reviews\.external\.(placeId|mapsUrl)$/.test(path);
    const row = fieldRowOf(path);
    // What no row of fields has is counted by the index parts.
    const counted = path === 'slug' ? 'slug' : 'position';
    const name = isTurned ? turned : (row?.name ?? counted);
    // Elements of lists that have come or gone stand for each other.
    const isElement = /\.\d+(\.|$)/.test(path);
    const isLost =
      row !== null && !isTurned && !isElement && !isEmpty(before) && row.isLost(before, after);
    const earlier = found.get(name);
    if (earlier && (earlier.isLost || !isLost)) continue;
    const example = { ...store, path, ...shown(before, after) };
    found.set(name, { isLost, example });
  }
  return found;
}

/** Two values, shown from where they begin to differ if their beginnings do not tell them apart. */
function shown(before: unknown, after: unknown): Pick<Example, 'before' | 'after'> {
  const [was, is] = [before, after].map((value) => JSON.stringify(value) ?? 'nothing') as [
    string,
    string,
  ];
  const whole = { before: shorten(was), after: shorten(is) };
  if (whole.before !== whole.after || was === is) return whole;
  let start = 0;
  while (was[start] === is[start]) start++;
  const from = (text: string) => shorten(`…${text.slice(Math.max(0, start - SHARED))}`);
  return { before: from(was), after: from(is) };
}

/** What a store has that is wrong in itself, by the rows that find it. */
type WrongStore = ReadonlyMap<string, Example>;

/** @param before null: the store was added; else what was wrong before counts no more */
function findWrong(
  { id, slug }: StoreName,
  after: RecordPlace,
  before: RecordPlace | null,
): WrongStore {
  const now = readWhole(after);
  const then = before && readWhole(before);
  const wrong = new Map<string, Example>();
  for (const { name, find } of TEXT_ROWS) {
    const found = find(now);
    if (!found || (then && find(then))) continue;
    const { path, value } = found;
    const was = path.split('.').reduce<unknown>((held, key) => Object(held)[key], then);
    wrong.set(name, { id, slug, path, ...shown(was, value) });
  }
  return wrong;
}

function readWhole(record: RecordPlace): Readonly<Record<string, unknown>> {
  return Object.fromEntries(COMPARED_FIELDS.map((field) => [field, readField(record, field)]));
}

function examplesOf(name: string, stores: readonly WrongStore[]): Example[] {
  return stores.flatMap((store) => store.get(name) ?? []);
}

/** The same for stores that were added, or some of them. */
async function findWrongAdded(
  is: ReleaseReader,
  added: readonly StoreName[],
): Promise<WrongStore[]> {
  const chosen = sampleOf(added, MOST_READ);
  const ids = await is.table(IDS_PART);
  const records = await is.records(chosen.flatMap(({ id }) => ids.candidates(id)));
  return chosen.map((store, place) => findWrong(store, recordAt(records, place), null));
}

/** Counts the stores of which `isIt` is true, and shows them as `tell` does. */
type Count = (
  of: number,
  isIt: (before: ListedStore, after: ListedStore) => boolean,
  tell: (store: ListedStore) => string,
) => Found;

/** What the index parts tell, exactly, by the rows that count. */
async function countExactly(
  was: ReleaseReader,
  is: ReleaseReader,
  { added, removed, changed }: ReleaseDiff,
) {
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
  const counts = new Map<string, Found>([
    ['removed', found(stores, gone)],
    ['added', found(stores, come)],
    ['slug', count(stores, (a, b) => a.slug !== b.slug, slug)],
    ['position', count(shown, isMoved, place)],
    ['shown', count(stores - shown, (a, b) => a.point === null && b.point !== null, place)],
    ['hidden', count(stores, (a, b) => a.point !== null && b.point === null, place)],
  ]);
  return { counts, lostVerticales: findLostVerticales(verticales, count) };
}

/** Every verticale that more than a third of its stores lose, the worst first. */
function findLostVerticales(before: SetTable, count: Count): LostVerticale[] {
  const counts = before.count(Uint32Array.from(before.sets.keys()));
  const lost = VERTICALES.map((verticale): LostVerticale => {
    const has = ({ verticales }: ListedStore) => verticales.includes(verticale);
    const of = counts.get(verticale) ?? 0;
    const found = count(
      of,
      (a, b) => has(a) && !has(b),
      (store) => (has(store) ? verticale : 'lost'),
    );
    return { verticale, ...found };
  });
  return lost
    .filter((each) => each.of >= FEWEST_OF_VERTICALE && each.count > each.of / 3)
    .sort((a, b) => b.count / b.of - a.count / a.of);
}
