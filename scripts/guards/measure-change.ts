/** What the guards find in a release, and in what differs between two. */
import { isDeepStrictEqual } from 'node:util';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import { setsPart } from '../../src/snapshot/set-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { FIGURES_PART } from '../compile/figures.ts';
import {
  type Answers,
  diffReleases,
  type ReleaseDiff,
  readChanges,
  type StoreChange,
  showValues,
  type ValueDifference,
} from '../diff/compare-releases.ts';
import { type JsonObject, type LocatedValue, valuesIn } from '../source/values-in.ts';
import type { Looks } from './signs.ts';
import { ADDED, type Counted, FIELDS, REMOVED, type Rule, SHOWN, WORDS, WRONG } from './table.ts';
import { daysBetween, isEmpty, type Range, valueAt } from './wrong-values.ts';

/** A store, with what stood there and what would stand there. */
export interface Example extends StoreName {
  /** Of the value, dotted; absent where the guard itself says what it is. */
  readonly path?: string;
  /** As JSON, shortened; null where nothing stands. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What a guard found: so many stores of so many. */
export interface Finding extends Rule {
  readonly count: number;
  readonly of: number;
  /** `count` in percent of `of`. */
  readonly share: number;
  /** Which release it is held against: the live one, the one of a day ago, or none. */
  readonly against: 'live' | 'day' | 'first';
  readonly examples: readonly Example[];
}

/** What a guard found in a store. */
interface StoreFinding {
  readonly rule: Rule;
  readonly example: Example;
}

/** Stores that are read, at most: changed and added ones, evenly spread. */
const MAX_READ = 1_000;

/**
 * Compares two releases by their index parts, and by the records of up to 1,000 changed or added stores.
 * @param live null: only what is wrong in itself is found, in all stores
 * @param options with `now`, milliseconds since 1970
 * @throws CommandError release_damaged
 */
export async function measureChange(
  live: ReleaseReader | null,
  next: ReleaseReader,
  against: Finding['against'],
  options: Pick<CommandContext, 'progress' | 'signal'> & { readonly now: number },
) {
  const diff = await diffReleases(live, next);
  const differing = [...diff.changed, ...diff.added];
  const step = Math.ceil(differing.length / MAX_READ);
  const sample = differing.filter((_, index) => index % step === 0);
  const found: StoreFinding[] = [];
  for (const { id, slug } of diff.removed) {
    found.push({ rule: REMOVED, example: { id, slug, before: 'there', after: null } });
  }
  for (const { id, slug } of live ? diff.added : []) {
    found.push({ rule: ADDED, example: { id, slug, before: null, after: 'there' } });
  }
  for await (const change of readChanges(diff, live, next, sample, options)) {
    const then = change.then && recordOf(change.then);
    const now = recordOf(change.now);
    if (then) found.push(...findChanges(change, then, now, options.now));
    found.push(...findWrong(change, then, now));
  }
  const scale = differing.length / sample.length;
  return { diff, findings: await addUp(found, scale, against, diff, live, next) };
}

/**
 * Adds up what was found in single stores. Of what figures count, only what they rose by.
 * @param scale stores for each that was read
 */
async function addUp(
  found: readonly StoreFinding[],
  scale: number,
  against: Finding['against'],
  { stores, liveStores, changed, added, removed }: ReleaseDiff,
  live: ReleaseReader | null,
  next: ReleaseReader,
): Promise<Finding[]> {
  const figures = await next.table(FIGURES_PART);
  const before: Partial<Record<Counted, number>> = live ? await live.table(FIGURES_PART) : {};
  const holders = live && (await countHolders(live));
  return [...Map.groupBy(found, ({ rule }) => rule)].map(([rule, same]) => {
    // By value: the first are the most alike.
    const alike = [...Map.groupBy(same, ({ example }) => example.after).values()];
    alike.sort((a, b) => b.length - a.length);
    const squares = new Set(same.map(({ example }) => example.after?.replaceAll(/\.\d+/g, '')));
    const all = scale * same.length;
    const counts = {
      ...figures,
      removed: removed.length,
      added: added.length,
      all,
      most: scale * (alike[0]?.length ?? 0),
      scattered: squares.size < MIN_SQUARES ? 0 : all,
    };
    const { name, kind, counted } = rule;
    const bases = {
      loss: holders?.get(name) ?? liveStores,
      change: liveStores,
      wrong: stores,
      // What may be meant in some stores is seldom meant in most that differ.
      doubt: counted === 'most' ? stores : changed.length + added.length,
    };
    const of = bases[kind];
    const count = Math.round(counts[counted] - (before[counted] ?? 0));
    const examples = alike.flat().map(({ example }) => example);
    return { ...rule, against, count, of, share: (100 * count) / of, examples };
  });
}

/** Squares of a degree in which stores are scattered: a town has one or a few. */
const MIN_SQUARES = 8;

/** Returns how many stores could lose something that not all have, by the guard of it. */
async function countHolders(was: ReleaseReader): Promise<ReadonlyMap<string, number>> {
  const { shown } = await was.table(FIGURES_PART);
  const holders = new Map([[SHOWN.name, was.manifest.storeCount - shown]]);
  for (const { facet, word, loss } of WORDS) {
    const { sets, count } = await was.table(setsPart(facet));
    holders.set(loss.name, count(Uint32Array.from(sets.keys())).get(word) ?? 0);
  }
  return holders;
}

/** Returns a store as answers without a language have it, with its `descriptions` in each. */
function recordOf(answers: Answers): JsonObject {
  const descriptions = LANGUAGES.map((language) => {
    return [language, valueAt(answers.get(language), 'profile.description')];
  });
  return { descriptions: Object.fromEntries(descriptions), ...answers.get(null) };
}

/** Finds what is wrong in a store and was not before, and what it comes to share with others, perhaps. */
function* findWrong(
  { store, differences }: StoreChange,
  then: JsonObject | null,
  now: JsonObject,
): Generator<StoreFinding> {
  const found = firstWrong(now);
  const before = then && firstWrong(then);
  for (const { rule } of WRONG) {
    const [is, was] = [found.get(rule), before?.get(rule)];
    if (!is || (was && (rule.counted === 'all' || isDeepStrictEqual(was.value, is.value))))
      continue;
    const stood = { path: is.path, before: then && valueAt(then, is.path), after: is.value };
    // A value that stays comes to be wrong by another one.
    const [cause = stood] = isDeepStrictEqual(stood.before, is.value) ? differences : [stood];
    yield {
      rule,
      example: { ...store, path: cause.path, ...showValues(cause.before, cause.after) },
    };
  }
}

/** By path: what tells values there. It is kept, for one store has the paths of the next. */
const looksByPath = new Map<string, readonly (readonly [Looks, Rule])[]>();

function looksAt(path: string) {
  const looks = WRONG.flatMap(({ rule, signs }) =>
    signs.flatMap(([look, at = /^/]) => (at.test(path) ? [[look, rule] as const] : [])),
  );
  looksByPath.set(path, looks);
  return looks;
}

/** Finds by each rule the first value of a store that is wrong. */
function firstWrong(store: JsonObject): ReadonlyMap<Rule, LocatedValue> {
  const found = new Map<Rule, LocatedValue>();
  for (const { path, value } of valuesIn(store)) {
    const isText = typeof value === 'string' || typeof value === 'number';
    for (const [look, rule] of looksByPath.get(path) ?? looksAt(path)) {
      const isWrong =
        look instanceof RegExp
          ? isText && look.test(`${value}`)
          : look(value as never, store, path);
      if (isWrong && !found.has(rule)) found.set(rule, { path, value });
    }
  }
  return found;
}

/** Words have guards of their own; single reviews come and go. */
const NOT_COMPARED =
  /^profile\.verticales|^localization\.(available|current)|^reviews\.external\.reviews\.\d/;

/** What hiding an address, or showing it again, takes along. */
const HIDDEN = /^geo\.(?!location$)|placeId$|mapsUrl$/;

/** Degrees of latitude from which on a store has moved: 100 m. */
const MIN_MOVED = 0.0009;

/**
 * Finds of each guard the first value that a store loses, or else that changes.
 * @param time milliseconds since 1970: closures before it may go
 */
function findChanges(
  { store, differences }: StoreChange,
  then: JsonObject,
  now: JsonObject,
  time: number,
): Iterable<StoreFinding> {
  const found = new Map<string, StoreFinding>();
  const add = (rule: Rule, { path, before, after }: Omit<ValueDifference, 'language'>) => {
    const example = { ...store, path, ...showValues(before, after) };
    if (!found.has(rule.name)) found.set(rule.name, { rule, example });
  };
  // Null on one side: else parts of it would differ.
  const location = differences.find(({ path }) => path === 'geo.location');
  const counted = differences.filter(({ path, before, after }) => {
    const isMoved =
      !path.includes('.point.') || Math.abs(Number(after) - Number(before)) >= MIN_MOVED;
    const isMeant = NOT_COMPARED.test(path) || (location && HIDDEN.test(path));
    return isMoved && !isMeant && !arePlanned(path, then, now, time);
  });
  const lost = counted.filter((each) => loses(each, now));
  for (const difference of [...lost, ...counted]) {
    const { loss, change } = FIELDS.find(({ paths }) =>
      paths.test(difference.path),
    ) as (typeof FIELDS)[0];
    if (lost.includes(difference)) add(loss, difference);
    else add(difference === location ? SHOWN : change, difference);
  }
  for (const { path, word, loss, change } of WORDS) {
    const [before, after] = [then, now].map((record) => valueAt(record, path)) as [
      string[],
      string[],
    ];
    const had = before.includes(word);
    if (had !== after.includes(word)) add(had ? loss : change, { path, before, after });
  }
  return found.values();
}

/** Days that a closure or season lasts, at most, that may be added to any share of the stores. */
const MAX_CLOSURE = 31;

/**
 * Returns whether closures or seasons differ only as they do each year: short ones to come were added, dates moved on
 * by a year, give or take a week, or what is over was left out.
 */
function arePlanned(path: string, then: JsonObject, now: JsonObject, time: number): boolean {
  const list = /^temporal.*?Ranges/.exec(path)?.[0];
  if (list === undefined) return false;
  const [before, after] = [then, now].map((record) => valueAt(record, list)) as [Range[], Range[]];
  const isAnnounced = ({ from, to }: Range) =>
    Date.parse(from) > time && daysBetween(from, to) <= MAX_CLOSURE;
  const isOver = ({ to }: Range) => Date.parse(to) < time;
  const isNext = (old: Range, range: Range) => {
    const moved = [daysBetween(old.from, range.from), daysBetween(old.to, range.to)];
    return moved.every((days) => days === 0 || Math.abs(days - 365) <= 7);
  };
  return (
    after.every((range) => isAnnounced(range) || before.some((old) => isNext(old, range))) &&
    before.every((old) => isOver(old) || after.some((range) => isNext(old, range)))
  );
}

/**
 * Returns whether a value says nothing any more, or much less: an amount in another unit, on another scale, or zero;
 * a text that was cut.
 */
function loses({ path, language, before, after }: ValueDifference, now: JsonObject): boolean {
  if (isEmpty(before) || before === 0) return false;
  if (isEmpty(after)) return true;
  if (typeof before === 'number' && typeof after === 'number') {
    const times = after / before;
    if (/rating$|total$/.test(path)) return times <= 0.5;
    return /price$|percentage$|tax\.value$/.test(path) && (times <= 0.1 || times >= 10);
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
