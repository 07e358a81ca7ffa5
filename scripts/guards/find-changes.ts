/** What a store loses, and what changes in it. */
import { distance } from 'geokdbush';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { StoreRecord, ValueDifference } from '../diff/read-changes.ts';
import { shorten } from '../source/fault.ts';
import type { Example, Finding } from './judge.ts';
import { FIELDS, MAX_LOST, STORES, WORDS, wordGuard } from './table.ts';
import { isEmpty, valueAt } from './wrong-values.ts';

/** What a guard found in a store. */
export interface StoreFinding extends Pick<Finding, 'name' | 'kind' | 'would' | 'limit'> {
  readonly example: Example;
}

/** Words have guards of their own; single reviews come and go. */
const NOT_COMPARED =
  /^profile\.verticales|^localization\.(available|current)|^reviews\.external\.reviews\.\d/;

/** What hiding an address, or showing it again, takes along. */
const HIDDEN = /^geo\.(?!location$)|^reviews\.external\.(placeId|mapsUrl)$/;

/** Amounts of which zero says as little as nothing. */
const AMOUNT = /(price|tax\.value|percentage|rating|total)$/;

/** How many times as high or low a price may become; more is another unit. */
const MAX_FACTOR = 10;

/** The share of a rating that is left, at most, when it is on another scale. */
const MAX_SCALED_RATING = 0.5;

/** Characters shown before the first difference of two long values. */
const SHARED_LENGTH = 10;

/** In milliseconds. */
const DAY = 86_400_000;

/** Milliseconds that a closure lasts, at most, that may be added to any share of the stores. */
const MAX_CLOSURE = 31 * DAY;

/** Kilometres from which on a store has moved. */
const MIN_MOVED = 0.1;

/**
 * Finds of each guard the first value that a store loses, or else that changes.
 * @param time milliseconds since 1970: closures before it may go
 */
export function findChanges(
  store: StoreName,
  differences: readonly ValueDifference[],
  then: StoreRecord,
  now: StoreRecord,
  time: number,
): StoreFinding[] {
  const location = differences.find(({ path }) => path === 'geo.location');
  const isHiding = location?.before === null || location?.after === null;
  const found = new Map<string, StoreFinding>();
  for (const difference of differences) {
    const { path, before, after } = difference;
    if (NOT_COMPARED.test(path) || (isHiding && HIDDEN.test(path))) continue;
    if (difference === location && before === null) {
      const [would, limit] = STORES.shown;
      const example = { ...store, before: 'hidden', after: 'shown' };
      found.set('shown', { name: 'shown', kind: 'loss', would, limit, example });
      continue;
    }
    const [name, [, what, limit]] = rowOf(path);
    if (name === 'position' && !hasMoved(path, then, now)) continue;
    if (arePlanned(path, then, now, time)) continue;
    const isLost = loses(difference, now) && !arePast(before, time);
    const earlier = found.get(name);
    if (earlier && (earlier.kind === 'loss' || !isLost)) continue;
    const example = exampleOf(store, path, before, after);
    const loss = { kind: 'loss', would: `lose their ${what}`, limit: MAX_LOST } as const;
    const change = { kind: 'change', would: `change their ${what}`, limit } as const;
    found.set(name, { name, ...(isLost ? loss : change), example });
  }
  return [...found.values(), ...findWords(store, then, now)];
}

/** Finds each verticale and language that a store loses or comes to have. */
function findWords(store: StoreName, then: StoreRecord, now: StoreRecord): StoreFinding[] {
  return Object.entries(WORDS).flatMap(([row, [path, words, mayLose, mayGain]]) => {
    const [before, after] = [then, now].map((each) => valueAt(each, path)) as [string[], string[]];
    const example = exampleOf(store, path, before, after);
    return words.flatMap((word): StoreFinding[] => {
      const isLost = before.includes(word);
      if (isLost === after.includes(word)) return [];
      const loss = { kind: 'loss', would: `lose the ${row} ${word}`, limit: mayLose } as const;
      const would = `come to have the ${row} ${word}`;
      const gain = { kind: 'change', would, limit: mayGain } as const;
      return [{ name: wordGuard(row, word), ...(isLost ? loss : gain), example }];
    });
  });
}

/** Returns the row of a path of an answer. */
function rowOf(path: string) {
  const rows = Object.entries(FIELDS);
  return rows.find(([, [paths]]) => paths.test(path)) as (typeof rows)[number];
}

/** Whether the point of which a coordinate differs has moved. */
function hasMoved(path: string, then: StoreRecord, now: StoreRecord): boolean {
  const pointPath = path.replace(/\.(lat|lng)$/, '');
  const point = (record: StoreRecord) =>
    valueAt(record, pointPath) as { readonly lat: number; readonly lng: number };
  const [from, to] = [point(then), point(now)];
  return distance(from.lng, from.lat, to.lng, to.lat) >= MIN_MOVED;
}

type Range = Readonly<Record<'from' | 'to', string>>;

/**
 * Whether closures or seasons differ only as they do each year: short closures to come were added, dates moved
 * on by a year, or what is over was left out.
 */
function arePlanned(path: string, then: StoreRecord, now: StoreRecord, time: number): boolean {
  const [list, kind] = /^temporal\.schedule\.(closed|lowSeason)Ranges/.exec(path) ?? [];
  if (list === undefined) return false;
  const [before, after] = [valueAt(then, list) as Range[], valueAt(now, list) as Range[]];
  const isAnnounced = ({ from, to }: Range) =>
    kind === 'closed' &&
    Date.parse(from) > time &&
    Date.parse(to) - Date.parse(from) <= MAX_CLOSURE;
  return (
    after.every((range) => isAnnounced(range) || before.some((old) => isNext(old, range))) &&
    before.every((old) => arePast([old], time) || after.some((range) => isNext(old, range)))
  );
}

/** Whether a range is the same as an old one, or lies a year later, give or take a week. */
function isNext(old: Range, range: Range): boolean {
  const isYearLater = (end: 'from' | 'to') =>
    Math.abs(Date.parse(range[end]) - Date.parse(old[end]) - 365 * DAY) <= 7 * DAY;
  const isSame = old.from === range.from && old.to === range.to;
  return isSame || (isYearLater('from') && isYearLater('to'));
}

/** Whether these are closures or seasons that are over. */
function arePast(value: unknown, time: number): boolean {
  return Array.isArray(value) && value.every(({ to }) => Date.parse(to) < time);
}

function loses({ path, language, before, after }: ValueDifference, now: StoreRecord): boolean {
  if (isEmpty(before)) return false;
  if (isEmpty(after) || (after === 0 && AMOUNT.test(path))) return true;
  if (typeof before === 'number' && typeof after === 'number') {
    const factor = after / before;
    if (path.endsWith('.rating')) return factor <= MAX_SCALED_RATING;
    return /price$|tax\.value$/.test(path) && (factor >= MAX_FACTOR || factor <= 1 / MAX_FACTOR);
  }
  // A text that a language lacks is shown in another one.
  if (language !== null && after === valueAt(now, path)) return true;
  return typeof before === 'string' && typeof after === 'string' && isCut(before, after);
}

/** Whether a text lost its second half or more, or a code the zeros that it began with. */
function isCut(before: string, after: string): boolean {
  const isStart = before.startsWith(after) && after.length <= before.length / 2;
  return isStart || (/^\d+$/.test(after) && before.replace(/^0+/, '') === after);
}

/** Shows two values, from where they begin to differ if their beginnings do not tell them apart. */
export function exampleOf(
  store: StoreName,
  path: string,
  before: unknown,
  after: unknown,
): Example {
  const [was = '', is = ''] = [before, after].map((value) => JSON.stringify(value) ?? 'nothing');
  const whole = { ...store, path, before: shorten(was), after: shorten(is) };
  if (whole.before !== whole.after || was === is) return whole;
  let start = 0;
  while (was[start] === is[start]) start++;
  const from = (text: string) => shorten(`…${text.slice(Math.max(0, start - SHARED_LENGTH))}`);
  return { ...whole, before: from(was), after: from(is) };
}
