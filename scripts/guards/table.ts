/**
 * The guards, which keep a broken export from going live. A guard has a name, what becomes of the stores that
 * it counts (after `3 of 10 stores would`), and how many percent of them may. It is of one of two kinds:
 *
 * - What stores lose, and what changes in them, against the live release and that of a day ago: `STORES`,
 *   `WORDS` and `FIELDS`
 * - What is wrong in itself: `WRONG` and `SHARED`. Only what is so in more stores than before counts, at a
 *   first publication all of it
 */
import { LANGUAGES, VERTICALES } from '../../src/model/words.ts';
import type { Figures } from '../compile/count-figures.ts';
import type { StoreRecord } from '../diff/read-changes.ts';
import type { LocatedValue } from '../source/values-in.ts';
import {
  findEmpty,
  findErrorText,
  findFarPoint,
  findOddValue,
  findPrivateLink,
  findReversedDates,
  findZeroPoint,
} from './wrong-values.ts';

/** Percent of the stores that may lose what a field held. */
export const MAX_LOST = 5;

/** Percent of the stores that may have something that is wrong in itself. */
export const MAX_WRONG = 5;

/** Stores that come and go, and hidden addresses. */
export const STORES = {
  removed: ['go', 20],
  added: ['come', 30],
  shown: ['show an address that was hidden', 5],
} as const satisfies Record<string, readonly [would: string, limit: number]>;

type WordRow = readonly [path: string, words: readonly string[], mayLose: number, mayGain: number];

/** A guard for each word: how many percent of the stores that have it may lose it, and of all may gain it. */
export const WORDS: Readonly<Record<'verticale' | 'language', WordRow>> = {
  verticale: ['profile.verticales', VERTICALES, 10, 15],
  language: ['localization.available', LANGUAGES, 10, 20],
};

/** By the first guard whose paths match that of a value: what it is, and how many percent may change it. */
export const FIELDS: Readonly<
  Record<string, readonly [paths: RegExp, what: string, limit: number]>
> = {
  names: [/^profile\.name$/, 'name', 20],
  descriptions: [/^profile\.description/, 'description', 50],
  slug: [/^slug$/, 'slug', 5],
  'page-url': [/^pageUrl$/, 'page URL', 10],
  position: [/^geo\.(location|locations\.\d+)\.point/, 'position by 100 m or more', 5],
  country: [/^geo\..*omponents\.country$/, 'country', 3],
  addresses: [/^geo\b/, 'address', 15],
  'time-zone': [/^temporal\.timezone/, 'time zone', 5],
  hours: [/^temporal\./, 'opening hours', 50],
  currency: [/^pricing\.currency/, 'currency', 5],
  tax: [/^pricing\.tax/, 'tax', 30],
  prices: [/^pricing\.|^modules\.delivery\.ranges/, 'prices', 50],
  modules: [/^modules\./, 'modules', 20],
  booking: [/^booking\./, 'booking rules', 20],
  reviews: [/^reviews\./, 'reviews', 100],
  other: [/^/, 'other fields', 50],
};

/** What a record has in it that should be in none. */
export const WRONG: Readonly<
  Record<string, readonly [would: string, find: (store: StoreRecord) => LocatedValue | undefined]>
> = {
  'error-text': ['have a text that is an error', findErrorText],
  'odd-values': ['have an odd value', findOddValue],
  'reversed-dates': ['have a closure or season that ends before it begins', findReversedDates],
  'zero-points': ['lie at 0, 0, or where latitude and longitude are one number', findZeroPoint],
  'far-points': ['lie where their time zone cannot be', findFarPoint],
  'private-links': ['have a link that is not public', findPrivateLink],
  'empty-names': ['have no name', findEmpty('profile.name')],
  'empty-descriptions': ['have no description', findEmpty('profile.description')],
};

type SharedRow = readonly [would: string, path: string, count: keyof Figures];

/** What each store should have for itself; told by the figures of a release. */
export const SHARED: Readonly<Record<string, SharedRow>> = {
  'equal-names': ['have one and the same name', 'profile.name', 'commonestName'],
  'equal-descriptions': [
    'have the description of another one',
    'profile.description',
    'equalDescriptions',
  ],
  'equal-page-urls': ['have the page of another one', 'pageUrl', 'equalPageUrls'],
  'equal-points': ['lie exactly where another one does', 'geo.location.point', 'equalPoints'],
};

/** Names are stable: `--allow` takes them, and the log records them. */
export const GUARD_NAMES: readonly string[] = [
  ...Object.keys(STORES),
  ...Object.entries(WORDS).flatMap(([row, [, words]]) => words.map((word) => wordGuard(row, word))),
  ...[FIELDS, WRONG, SHARED].flatMap(Object.keys),
];

/** Returns the name of the guard of a word: `verticale-electric-bike`. */
export function wordGuard(row: string, word: string): string {
  return `${row}-${word.toLowerCase().replaceAll('_', '-')}`;
}

/** Describes the guards, a line each, with their limits against the live release. */
export function describeGuards(): string {
  const lines = [
    ...Object.entries(STORES).map(([name, [would, limit]]) => [name, limit, would]),
    ...Object.entries(WORDS).map(([row, [, , mayLose, mayGain]]) => {
      return [`${row}-…`, mayLose, `lose this ${row}; at most ${mayGain} % may come to have it`];
    }),
    ...Object.entries(FIELDS).map(([name, [, what, limit]]) => [
      name,
      limit,
      `change their ${what}`,
    ]),
    ...Object.entries({ ...WRONG, ...SHARED }).map(([name, [would]]) => [name, MAX_WRONG, would]),
  ];
  return lines
    .map(
      ([name, limit, would]) => `  ${`${name}`.padEnd(20)}${`${limit} %`.padEnd(7)}would ${would}`,
    )
    .join('\n');
}
