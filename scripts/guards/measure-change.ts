/** What differs between two releases, as the guards look at it. */

import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import {
  COMPARED_FIELDS,
  type RecordPlace,
  readField,
  type ValueDifference,
} from '../diff/changed-values.ts';
import {
  type ChangedStore,
  type ComparedRecords,
  type CompareOptions,
  diffReleases,
  type ReleaseDiff,
  recordAt,
  sampleOf,
} from '../diff/diff-releases.ts';
import { shorten } from '../source/fault.ts';
import { countExactly, type Example, type Found } from './count-change.ts';
import { fieldRowOf, isEmpty, ROWS } from './table.ts';

/** Records that are read of changed stores, and of added ones. */
export const MOST_READ = 1_000;

/** Characters that are shown before the first difference of two long values. */
const SHARED = 10;

/** What a row of fields found in one store. */
interface FieldFound {
  readonly isLost: boolean;
  readonly example: Example;
}

/** A change as the rows look at it. */
export interface Change {
  /** Of the release before. */
  readonly stores: number;
  /** By the rows that count, and those of texts. */
  readonly counts: ReadonlyMap<string, Found>;
  /** How many stores have changed, and what was found in those whose records were read, by row. */
  readonly changedCount: number;
  readonly lookedAt: readonly ReadonlyMap<string, FieldFound>[];
}

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed stores.
 * @throws CommandError release_damaged
 */
export async function measureChange(
  before: CompiledRelease,
  after: CompiledRelease,
  options: Pick<CompareOptions, 'progress' | 'signal'>,
): Promise<{ change: Change; diff: ReleaseDiff }> {
  const lookedAt: ReadonlyMap<string, FieldFound>[] = [];
  const wrong = new Map<string, Example[]>();
  const onChanged = (store: ChangedStore, records: ComparedRecords) => {
    lookedAt.push(readFields(store, records.differences));
    findWrong(wrong, store, records.after, records.before);
  };
  const diff = await diffReleases(before, after, { ...options, mostRead: MOST_READ, onChanged });
  const [was, is] = [new ReleaseReader(before), new ReleaseReader(after)];
  const scale = lookedAt.length === 0 ? 1 : diff.changedCount / lookedAt.length;
  const counts = await countExactly(was, is, diff);
  const inChanged = new Map([...wrong].map(([name, found]) => [name, found.length]));
  const scaleAdded = await findWrongAdded(wrong, is, diff);
  for (const [name, examples] of wrong) {
    const changed = inChanged.get(name) ?? 0;
    const count = Math.round(changed * scale + (examples.length - changed) * scaleAdded);
    counts.set(name, { count, of: diff.stores, examples });
  }
  return {
    diff,
    change: { stores: diff.liveStores, counts, changedCount: diff.changedCount, lookedAt },
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
    const name = isTurned ? turned : (row?.name ?? countedRowOf(path));
    // Elements of lists that have come or gone stand for each other.
    const isElement = /\.\d+(\.|$)/.test(path);
    const isLost =
      row !== null &&
      !isTurned &&
      !isElement &&
      !isEmpty(before) &&
      (row.isLost?.(before, after) ?? isEmpty(after));
    if (found.has(name) && (found.get(name)?.isLost || !isLost)) continue;
    const example = { ...store, ...shown(before, after) };
    found.set(name, { isLost, example });
  }
  return found;
}

function countedRowOf(path: string): string {
  return path === 'slug' ? 'slug' : 'position';
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

/** Notes a store of which the record has something wrong in it that none had before. */
function findWrong(
  wrong: Map<string, Example[]>,
  { id, slug }: StoreName,
  after: RecordPlace,
  before: RecordPlace | null,
): void {
  const now = readWhole(after);
  const then = before && readWhole(before);
  for (const row of ROWS) {
    const found = row.looksAt === 'text' ? row.find(now) : null;
    if (row.looksAt !== 'text' || !found || (then && row.find(then))) continue;
    const was = found.path.reduce<unknown>((value, key) => Object(value)[key], then);
    const example = { id, slug, ...shown(was, found.value) };
    wrong.set(row.name, [...(wrong.get(row.name) ?? []), example]);
  }
}

function readWhole(record: RecordPlace): Readonly<Record<string, unknown>> {
  return Object.fromEntries(COMPARED_FIELDS.map((field) => [field, readField(record, field)]));
}

/** The same for stores that were added. Returns for how many each that was read stands. */
async function findWrongAdded(
  wrong: Map<string, Example[]>,
  is: ReleaseReader,
  { added }: ReleaseDiff,
): Promise<number> {
  const chosen = sampleOf(added, MOST_READ);
  const ids = await is.ids();
  const places = chosen.map(({ id }) => ids.find(id) as number);
  for (let start = 0; start < chosen.length; start += 100) {
    const group = places.slice(start, start + 100);
    const records = await is.records(group);
    group.forEach((_, place) => {
      findWrong(wrong, chosen[start + place] as StoreName, recordAt(records, place), null);
    });
  }
  return chosen.length === 0 ? 1 : added.length / chosen.length;
}
