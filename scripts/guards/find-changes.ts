/** What a store loses, and what changes in it. */
import { distance } from 'geokdbush';
import { DAY } from '../../src/hours/clock.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { type StoreChange, showValues, type ValueDifference } from '../diff/read-changes.ts';
import type { JsonObject } from '../source/values-in.ts';
import type { Example, Finding } from './judge.ts';
import { FIELDS, WORDS, wordGuard } from './table.ts';
import { isEmpty, type Point, valueAt } from './wrong-values.ts';

/** What a guard found in a store. */
export interface StoreFinding extends Pick<Finding, 'name' | 'kind'> {
  readonly example: Example;
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
  [/price$|tax\.value$/, 0.1, 10],
  [/percentage$|total$/, 0, Infinity],
];

/** Days that a closure lasts, at most, that may be added to any share of the stores. */
const MAX_CLOSURE = 31;

/** Kilometres from which on a store has moved. */
const MIN_MOVED = 0.1;

/**
 * Finds of each guard the first value that a store loses, or else that changes.
 * @param time milliseconds since 1970: closures before it may go
 */
export function findChanges(
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
    const name = isShown ? 'shown' : guardOf(path);
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

/** Returns the name of the guard of a path of an answer. */
function guardOf(path: string): string {
  return Object.keys(FIELDS).find((name) => FIELDS[name]?.[0].test(path)) as string;
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
