/** What the guards find in a release, and in what differs between two. */
import { isDeepStrictEqual } from 'node:util';
import { distance } from 'geokdbush';
import { DAY } from '../../src/hours/clock.ts';
import type { Point } from '../../src/model/location.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART } from '../compile/figures.ts';
import {
  diffReleases,
  type ReleaseDiff,
  readChanges,
  readRecord,
  type StoreChange,
  type StorePair,
  showValues,
  type ValueDifference,
} from '../diff/compare-releases.ts';
import { type JsonObject, valuesIn } from '../source/values-in.ts';
import { FIELDS, type Kind, WORDS, WRONG, wordGuard } from './table.ts';
import { findSign, isEmpty, valueAt } from './wrong-values.ts';

/** A store, with what stood there and what would stand there. */
export interface Example extends StoreName {
  /** Of the value, dotted; absent where the guard itself says what it is. */
  readonly path?: string;
  /** As JSON, shortened; null where nothing stands. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What a guard found: so many stores of so many. */
export interface Finding {
  /** Of the guard. */
  readonly name: string;
  readonly kind: Kind;
  readonly count: number;
  readonly of: number;
  readonly examples: readonly Example[];
}

/** What a guard found in a store; it stands for `weight` stores, where only some were read. */
interface StoreFinding extends Pick<Finding, 'name' | 'kind'> {
  readonly example: Example;
  readonly weight?: number;
}

/** Records that are read of changed stores, and of added ones. */
const MAX_READ = 1_000;

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed and 1,000 added stores.
 * @param live null: only what is wrong in itself is found, in all stores
 * @param options with `now`, milliseconds since 1970
 * @throws CommandError release_damaged
 */
export async function measureChange(
  live: ReleaseReader | null,
  next: ReleaseReader,
  options: Pick<CommandContext, 'progress' | 'signal'> & { readonly now: number },
) {
  const diff = await diffReleases(live, next);
  const found: StoreFinding[] = [];
  for (const stores of [diff.changed, diff.added]) {
    const sample = sampleOf(stores);
    const weight = stores.length / sample.length;
    for await (const change of readChanges(diff, live, next, sample, options)) {
      const { store, was, is, index } = change;
      const [then, now] = [was && readRecord(was, index), readRecord(is, index)];
      const changes = then ? findChanges(change, then, now, options.now) : [];
      const findings = [...changes, ...findWrong(store, then, now)];
      for (const finding of findings) found.push({ ...finding, weight });
    }
  }
  const moves = [
    ['removed', 'loss', diff.removed, 'there', 'gone'],
    ['added', 'change', live ? diff.added : [], 'not there', 'there'],
  ] as const;
  for (const [name, kind, stores, before, after] of moves) {
    for (const { id, slug } of stores) {
      found.push({ name, kind, example: { id, slug, before, after } });
    }
  }
  return { diff, findings: await addUp(found, diff, live, next) };
}

/** Returns at most `MAX_READ` of all, evenly spread. */
function sampleOf(all: readonly StorePair[]): readonly StorePair[] {
  const length = Math.min(MAX_READ, all.length);
  return Array.from(
    { length },
    (_, index) => all[Math.floor((index * all.length) / length)] as StorePair,
  );
}

/** Where values are that make others wrong. */
const CONTEXT = [
  ...['temporal.timezone', 'localization.available', 'reviews.external.total'],
  ...['pricing.currency.isoCode', 'slug', 'geo.location.address'],
];

/** Finds what is wrong in a store and was not before, and what it comes to share with others, perhaps. */
function findWrong(store: StoreName, then: JsonObject | null, now: JsonObject): StoreFinding[] {
  const [old, values] = [then ? [...valuesIn(then)] : [], [...valuesIn(now)]];
  return Object.entries(WRONG).flatMap(([name, [, signs, , count]]): StoreFinding[] => {
    const is = findSign(signs, values, now);
    const was = is && findSign(signs, old, then ?? now);
    if (!is || (was && (!count || isDeepStrictEqual(was, is)))) return [];
    // A value that stays comes to be wrong by another one.
    const paths = [is.path, is.path.replace(/point$/, 'components.country'), ...CONTEXT];
    const differs = (at: string) => !isDeepStrictEqual(valueAt(then, at), valueAt(now, at));
    const path = (!count && paths.find(differs)) || is.path;
    const example = { ...store, path, ...showValues(valueAt(then, path), valueAt(now, path)) };
    return [{ name, kind: 'wrong', example }];
  });
}

/** Adds up what was found in single stores. What figures count is counted beyond the share of stores that did before. */
async function addUp(
  found: readonly StoreFinding[],
  { stores, liveStores, changed, added }: ReleaseDiff,
  live: ReleaseReader | null,
  next: ReleaseReader,
): Promise<Finding[]> {
  const after = await next.table(FIGURES_PART);
  const before = live && { ...(await live.table(FIGURES_PART)), all: 0, most: 0, scattered: 0 };
  const holders = live && (await countHolders(live));
  const named = Map.groupBy(found, ({ name, kind }) => `${kind} ${name}`);
  return [...named.values()].map((same) => {
    const { name, kind } = same[0] as StoreFinding;
    const byValue = [...Map.groupBy(same, ({ example }) => example.after).values()];
    // The first are the most alike.
    const alike = byValue.sort((a, b) => b.length - a.length);
    const [, , mayBe, counted = 'all'] = WRONG[name] ?? [];
    // What may be meant in some stores is seldom meant in most that change.
    const seen = mayBe && counted !== 'most' ? changed.length + added.length : stores;
    const of = kind === 'wrong' ? seen : (kind === 'loss' && holders?.get(name)) || liveStores;
    const all = sumOf(same);
    const scattered = squaresOf(same) < MIN_SQUARES ? 0 : all;
    const counts = { ...after, all, most: sumOf(alike[0] ?? []), scattered };
    const usual = before ? (stores * before[counted]) / liveStores : 0;
    const count = Math.max(0, Math.round(counts[counted] - usual));
    const examples = alike.flat().map(({ example }) => example);
    return { name, kind, count: kind === 'loss' ? Math.min(count, of) : count, of, examples };
  });
}

/** Squares of a degree in which stores are scattered: a town has one or a few. */
const MIN_SQUARES = 8;

/** Returns in how many squares of a degree the points lie that were found. */
function squaresOf(found: readonly StoreFinding[]): number {
  return new Set(found.map(({ example }) => example.after?.replaceAll(/\.\d+/g, ''))).size;
}

function sumOf(found: readonly StoreFinding[]): number {
  return found.reduce((sum, { weight = 1 }) => sum + weight, 0);
}

/** Returns how many stores could lose something that not all have, by the guard of it. */
async function countHolders(was: ReleaseReader): Promise<ReadonlyMap<string, number>> {
  const { shown } = await was.table(FIGURES_PART);
  const holders = new Map([['shown', was.manifest.storeCount - shown]]);
  for (const what of ['verticale', 'language'] as const) {
    const { sets, count } = await was.table(setsPart(`${what}s`));
    for (const [word, held] of count(Uint32Array.from(sets.keys()))) {
      holders.set(wordGuard(what, word), held);
    }
  }
  return holders;
}

/** Words have guards of their own; single reviews come and go. */
const NOT_COMPARED =
  /^profile\.verticales|^localization\.(available|current)|^reviews\.external\.reviews\.\d/;

/** What hiding an address, or showing it again, takes along. */
const HIDDEN = /^geo\.(?!location$)|^reviews\.external\.(placeId|mapsUrl)$/;

/**
 * Amounts that are lost where they become so many times what they were, or less, or more: in another unit, on
 * another scale, or zero, which says as little as nothing.
 */
const AMOUNTS: readonly (readonly [paths: RegExp, min: number, max: number])[] = [
  [/\.rating$/, 0.5, Infinity],
  [/price$|percentage$|tax\.value$/, 0.1, 10],
  [/total$/, 0, Infinity],
];

/** Days that a closure lasts, at most, that may be added to any share of the stores. */
const MAX_CLOSURE = 31;

/** Kilometres from which on a store has moved. */
const MIN_MOVED = 0.1;

/**
 * Finds of each guard the first value that a store loses, or else that changes.
 * @param time milliseconds since 1970: closures before it may go
 */
function findChanges(
  { store, differences }: StoreChange,
  then: JsonObject,
  now: JsonObject,
  time: number,
): StoreFinding[] {
  const location = differences.find(({ path }) => path === 'geo.location');
  const isHiding = location?.before === null || location?.after === null;
  const found = new Map<string, StoreFinding>();
  for (const difference of differences) {
    const { path, before, after } = difference;
    if (NOT_COMPARED.test(path) || (isHiding && HIDDEN.test(path))) continue;
    const isShown = difference === location && before === null;
    const guard = Object.keys(FIELDS).find((each) => FIELDS[each]?.[0].test(path)) as string;
    const name = isShown ? 'shown' : guard;
    if (arePlanned(path, then, now, time)) continue;
    if (name === 'position' && !hasMoved(path, then, now)) continue;
    const kind = isShown || loses(difference, now) ? 'loss' : 'change';
    const earlier = found.get(name)?.kind;
    if (earlier === 'loss' || earlier === kind) continue;
    found.set(name, { name, kind, example: { ...store, path, ...showValues(before, after) } });
  }
  return [...found.values(), ...findWords(store, then, now)];
}

/** Finds each verticale and language that a store loses or comes to have. */
function findWords(store: StoreName, then: JsonObject, now: JsonObject): StoreFinding[] {
  return Object.entries(WORDS).flatMap(([what, [path, words]]) => {
    const [before, after] = [then, now].map((each) => valueAt(each, path)) as [string[], string[]];
    const example = { ...store, path, ...showValues(before, after) };
    const changed = words.filter((word) => before.includes(word) !== after.includes(word));
    return changed.map((word): StoreFinding => {
      return {
        name: wordGuard(what, word),
        kind: before.includes(word) ? 'loss' : 'change',
        example,
      };
    });
  });
}

/** Returns whether the point of which a coordinate differs has moved. */
function hasMoved(path: string, then: JsonObject, now: JsonObject): boolean {
  const point = path.slice(0, path.lastIndexOf('.'));
  const [from, to] = [then, now].map((record) => valueAt(record, point)) as [Point, Point];
  return distance(from.lng, from.lat, to.lng, to.lat) >= MIN_MOVED;
}

interface Range {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns whether closures or seasons differ only as they do each year: short closures to come were added, dates moved
 * on by a year, or what is over was left out.
 */
function arePlanned(path: string, then: JsonObject, now: JsonObject, time: number): boolean {
  const [list, kind] = /^temporal\.schedule\.(closed|lowSeason)Ranges/.exec(path) ?? [];
  if (list === undefined) return false;
  const [before, after] = [then, now].map((record) => valueAt(record, list)) as [Range[], Range[]];
  const isAnnounced = ({ from, to }: Range) =>
    kind === 'closed' && Date.parse(from) > time && daysBetween(from, to) <= MAX_CLOSURE;
  const isOver = ({ to }: Range) => Date.parse(to) < time;
  return (
    after.every((range) => isAnnounced(range) || before.some((old) => isNext(old, range))) &&
    before.every((old) => isOver(old) || after.some((range) => isNext(old, range)))
  );
}

/** Returns whether a range is the same as an old one, or lies a year later, give or take a week. */
function isNext(old: Range, range: Range): boolean {
  const moved = [daysBetween(old.from, range.from), daysBetween(old.to, range.to)];
  return moved.every((days) => days === 0) || moved.every((days) => Math.abs(days - 365) <= 7);
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}

function loses({ path, language, before, after }: ValueDifference, now: JsonObject): boolean {
  if (isEmpty(before) || before === 0) return false;
  if (isEmpty(after)) return true;
  if (typeof before === 'number' && typeof after === 'number') {
    const row = AMOUNTS.find(([paths]) => paths.test(path));
    const [, min = -Infinity, max = Infinity] = row ?? [];
    return after / before <= min || after / before >= max;
  }
  // A text that a language lacks is shown in another one.
  if (language !== null && after === valueAt(now, path)) return true;
  return typeof before === 'string' && typeof after === 'string' && isCut(before, after);
}

/** Returns whether a text lost its second half or more, or a code the zeros that it began with. */
function isCut(before: string, after: string): boolean {
  const isStart = before.startsWith(after) && after.length <= before.length / 2;
  return isStart || (/^\d+$/.test(after) && before.replace(/^0+/, '') === after);
}
