/**
 * The guards, which keep a broken export from going live. A guard has a name, what becomes of the stores that
 * it counts (after `3 of 10 stores would`), and how many percent of them may. It is of one of two kinds:
 *
 * - What stores lose, and what changes in them, against the live release and the one of a day ago: stores that come
 *   and go, hidden addresses, `WORDS` and `FIELDS`
 * - What is wrong in itself, or may be meant and only warns: `WRONG`. Only what is so in more stores than before
 *   counts, at a first publication all of it
 */
import { InvalidArgumentError } from 'commander';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import type { Figures } from '../compile/figures.ts';
import { ERRORS, type Looks, ODD, type Sign } from './signs.ts';
import {
  isAlwaysOpen,
  isClosedByDay,
  isEarlyOrLate,
  isEmpty,
  isEveryVerticale,
  isFarPoint,
  isForeignZone,
  isMinutePoint,
  isNeverOpen,
  isPresent,
  isPrivateLink,
  isRating,
  isReversedDate,
  isUntranslated,
  isZeroPoint,
} from './wrong-values.ts';

/** What becomes of stores, and how many percent of them it may. */
export interface Rule {
  /** Of the guard: stable, for `--allow` takes it, and the log records it. */
  readonly name: string;
  readonly kind: 'loss' | 'change' | 'wrong' | 'doubt';
  /** After `3 of 10 stores would`. */
  readonly would: string;
  /** Percent of the stores. */
  readonly limit: number;
  readonly counted: Counted;
}

/**
 * What is counted: all stores that are found, those that come or go, a figure of the release, those with one value, or
 * scattered ones.
 */
export type Counted = 'all' | 'removed' | 'added' | keyof Figures | 'most' | 'scattered';

function rule(
  name: string,
  kind: Rule['kind'],
  would: string,
  limit: number,
  counted: Counted = 'all',
): Rule {
  return { name, kind, would, limit, counted };
}

export const REMOVED = rule('removed', 'loss', 'go', 20, 'removed');
export const ADDED = rule('added', 'change', 'come', 30, 'added');
export const SHOWN = rule('shown', 'loss', 'show an address that was hidden', 5);

/** Makes the rules for what is lost, and for what changes otherwise. */
function pair(name: string, what: string, mayLose: number, verb: string, limit: number) {
  const loss = rule(name, 'loss', `lose ${what}`, mayLose);
  return { loss, change: rule(name, 'change', `${verb} ${what}`, limit) };
}

/** Words: how many percent of the stores that have one may lose it, and of all may come to have it. */
const WORD_ROWS = [
  ['verticale', 'verticales', 'profile.verticales', VERTICALES, 10, 15],
  ['language', 'languages', 'localization.available', LANGUAGES, 10, 20],
] as const;

/** A guard for each word of a list, such as `verticale-electric-bike`. */
export const WORDS = WORD_ROWS.flatMap(([what, facet, path, words, mayLose, mayGain]) =>
  words.map((word) => {
    const name = `${what}-${word.toLowerCase().replaceAll('_', '-')}`;
    const rules = pair(name, `the ${what} ${word}`, mayLose, 'come to have', mayGain);
    return { facet, path, word, ...rules };
  }),
);

/** Percent of the stores that may lose what a field held, or have something that is wrong in itself. */
const MAX_LOST = 5;

/** Fields, by the first row whose paths match: how many percent may change them, and what they are called. */
const FIELD_ROWS: Readonly<Record<string, readonly [paths: RegExp, limit: number, what?: string]>> =
  {
    names: [/^profile\.name$/, 20],
    descriptions: [/^profile\.description/, 50],
    slug: [/^slug$/, 5],
    'page-url': [/^pageUrl$/, 10],
    position: [/\.point\./, 5, 'position by 100 m or more'],
    country: [/components\.country$/, 3],
    addresses: [/^geo/, 15],
    'time-zone': [/timezone$/, 5],
    hours: [/^temporal/, 50],
    currency: [/^pricing\.currency/, 5],
    tax: [/^pricing\.tax/, 30],
    prices: [/^pricing|delivery\.ranges/, 50],
    modules: [/^modules/, 20],
    booking: [/^booking/, 20],
    reviews: [/^reviews/, 100],
    other: [/^/, 50, 'other fields'],
  };

export const FIELDS = Object.entries(FIELD_ROWS).map(([name, [paths, limit, what = name]]) => {
  return { paths, ...pair(name, `their ${what}`, MAX_LOST, 'change', limit) };
});

/** A rule for values that look so, at paths that end so; by default it says `have` and its name. */
type WrongRow = readonly [
  looks: Looks | readonly Sign[],
  at?: RegExp,
  counted?: Counted,
  would?: string,
];

/** Makes the rules of rows with one limit. */
function wrong(kind: Rule['kind'], limit: number, rows: Readonly<Record<string, WrongRow>>) {
  return Object.entries(rows).map(([name, [looks, at, counted = 'all', words]]) => {
    const would = words ?? `have ${name.replaceAll('-', ' ')}`;
    const signs: readonly Sign[] = Array.isArray(looks) ? looks : [[looks, at]];
    return { rule: rule(name, kind, would, limit, counted), signs };
  });
}

/** What should be in no record, what each store should have for itself, and what may be meant in some stores (`doubt`). */
export const WRONG = [
  ...wrong('wrong', MAX_LOST, {
    'error-text': [ERRORS],
    'odd-values': [ODD],
    'reversed-dates': [isReversedDate, /\.\d+$/],
    'closed-by-day': [isClosedByDay, /\.\d+$/, 'all', 'be closed by day and open at night'],
    'zero-points': [
      isZeroPoint,
      /\.point$/,
      'all',
      'lie where a coordinate is 0, or both are whole or one number',
    ],
    'far-points': [
      isFarPoint,
      /\.point$/,
      'all',
      'lie in the sea, or where their country or time zone is not',
    ],
    // A path alone, too.
    'private-links': [[[isPrivateLink], [/^(?!https?:)\s*\S/i, /(Url|URL|urls\.\d+)$/]]],
    'empty-names': [isEmpty, /profile\.name$/],
    'empty-descriptions': [isEmpty, /description$/],
    'equal-names': [isPresent, /profile\.name$/, 'commonestName'],
    'equal-descriptions': [isPresent, /description$/, 'equalDescriptions'],
    'equal-page-urls': [isPresent, /pageUrl$/, 'equalPageUrls'],
    'equal-points': [isPresent, /location\.point$/, 'equalPoints'],
  }),
  ...wrong('doubt', 5, {
    // As long as a column of a database, which ends in a sentence.
    'cut-descriptions': [/^(.{255,256}|.{500}|.{1000})(?<=[\p{L},])$/su, /description$/],
    'foreign-zones': [isForeignZone, /location\.point$/],
  }),
  ...wrong('doubt', 30, {
    'equal-ratings': [isRating, /external\.rating$/, 'most'],
    'equal-authors': [isPresent, /author\.name$/, 'most'],
  }),
  ...wrong('doubt', 75, {
    'never-open': [isNeverOpen, /schedule$/, 'all', 'never be open'],
    'always-open': [isAlwaysOpen, /openingHours$/, 'all', 'be open from midnight to midnight'],
    'utc-hours': [
      isEarlyOrLate,
      /openingHours$/,
      'all',
      'be open from before 08:00 to 17:00 at the latest, or from 13:00 on, as in UTC',
    ],
    'coarse-points': [
      /^-?\d+(\.\d\d?)?$/,
      /location\.point\.lat$/,
      'all',
      'have a latitude of two decimals at most',
    ],
    'minute-points': [
      isMinutePoint,
      /location\.point$/,
      'scattered',
      'have no decimals above 60 in their points, as minutes have',
    ],
    'empty-countries': [isEmpty, /location\.components\.country$/],
    'empty-postcodes': [isEmpty, /location\.components\.postalCode$/],
    'empty-streets': [isEmpty, /location\.components\.street$/],
    'empty-cities': [isEmpty, /location\.components\.city$/],
    'empty-addresses': [isEmpty, /location\.address$/],
    'empty-verticales': [isEmpty, /verticales$/],
    'every-verticale': [isEveryVerticale, /verticales$/],
    'hidden-addresses': [isEmpty, /location$/],
    'equal-addresses': [isPresent, /location\.address$/, 'most'],
    'equal-reviews': [isPresent, /external\.placeId$/, 'most'],
    'equal-languages': [
      isUntranslated,
      /descriptions$/,
      'all',
      'have one and the same description in all languages',
    ],
  }),
];

export const WRONG_RULES = WRONG.map(({ rule }) => rule);

const STORES = [REMOVED, ADDED, SHOWN];
const CHANGES = [...WORDS, ...FIELDS].flatMap(({ loss, change }) => [loss, change]);

/** In the order in which they are told. */
export const RULES: readonly Rule[] = [...STORES, ...CHANGES, ...WRONG_RULES];

export const GUARD_NAMES: readonly string[] = [...new Set(RULES.map(({ name }) => name))];

/** What the help of `publish` says of guards: a line each, but for what words and fields may lose. */
export const GUARDS_HELP = `
Guards, with the largest share of the stores that passes, compared with the live release. Compared with the
oldest release of the last 24 hours, twice as many may lose or change something. At most ${MAX_LOST} % may lose
what a field had, 10 % lose a word, such as verticale-bike or language-en, 15 % get one (20 % a language). What
is so of one store or two always passes. What warns is told where most stores are so, and never refused.
${[...STORES, ...FIELDS.map(({ change }) => change), ...WRONG_RULES]
  .map(({ name, kind, would, limit }) => {
    const share = kind === 'doubt' ? 'warns' : `${limit} %`;
    return `  ${name.padEnd(20)}${share.padEnd(7)}would ${would}`;
  })
  .join('\n')}`;

/** How far guards are allowed to go, in percent; infinity: anything. */
export type Allowed = ReadonlyMap<string, number>;

/** Reads what `--allow` takes: a guard, or `guard=percent`. */
export function readAllowed(text: string, before: Allowed): Allowed {
  const [, name = '', percent = Infinity] = /^([a-z-]+)(?:=(\d+(?:\.\d+)?))?$/.exec(text) ?? [];
  if (GUARD_NAMES.includes(name)) return new Map(before).set(name, Number(percent));
  const names = GUARD_NAMES.join(', ');
  throw new InvalidArgumentError(`Expected one of ${names}, with =PERCENT or without.`);
}
