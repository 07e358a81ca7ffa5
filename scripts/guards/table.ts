/**
 * The guards, which keep a broken export from going live. A guard has a name, what becomes of the stores that
 * it counts (after `3 of 10 stores would`), and how many percent of them may. It is of one of two kinds:
 *
 * - What stores lose, and what changes in them, against the live release and the one of a day ago: stores that come
 *   and go, hidden addresses, `WORDS` and `FIELDS`
 * - What is wrong in itself: `WRONG`. Only what is so in more stores than before counts, at a first publication
 *   all of it
 */
import { InvalidArgumentError, Option } from 'commander';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import type { Figures } from '../compile/figures.ts';
import {
  ERRORS,
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
  ODD,
  type Sign,
} from './wrong-values.ts';

/** Percent of the stores that may lose what a field held. */
const MAX_LOST = 5;

/** Percent of the stores that may have something that is wrong in itself. */
const MAX_WRONG = 5;

/** What a guard counts of: stores that lose something, that change, that have something wrong. */
export type Kind = 'loss' | 'change' | 'wrong';

/** A guard for each word at a path: how many percent of the stores that have it may lose it, and of all may gain it. */
export const WORDS = {
  verticale: ['profile.verticales', VERTICALES, 10, 15],
  language: ['localization.available', LANGUAGES, 10, 20],
} as const;

/** By the first guard whose paths match the path of a value: what it is, and how many percent may change it. */
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

/** Percent of the stores of a directory that may lack something, or share it. */
const MAX_USUAL = 75;

/** Percent of the stores that may have one rating. */
const MAX_ONE_RATING = 30;

type WrongRow = readonly [
  would: string,
  signs: readonly Sign[],
  usual?: number,
  count?: keyof Figures | 'all' | 'most' | 'scattered',
];

const POINT = 'geo.location.point';
const ADDRESS = 'geo.location.address';
const PARTS = 'geo.location.components';
const HOURS = 'temporal.schedule';

/**
 * What should be in no record, or what each store should have for itself: that is counted by a figure, or by the value
 * that most have; or where stores are scattered over many degrees. What is `usual` in so many percent of the stores is
 * told where more have it, and never refused.
 */
export const WRONG: Readonly<Record<string, WrongRow>> = {
  'error-text': ['have a text that is an error', ERRORS],
  'odd-values': ['have an odd value', ODD],
  'reversed-dates': ['have a closure or season that ends before it begins', [[isReversedDate]]],
  'closed-by-day': [
    'be closed by day and open at night',
    [[isClosedByDay, /^temporal\.schedule\.openingHours\w*\.\d+$/]],
  ],
  'zero-points': [
    'lie where a coordinate is 0, or both are whole or one number',
    [[isZeroPoint, /\.point$/]],
  ],
  'far-points': [
    'lie in the sea, or where their country or time zone is not',
    [[isFarPoint, /\.point$/]],
  ],
  'private-links': ['have a link that is not public', [[isPrivateLink]]],
  'empty-names': ['have no name', [[isEmpty, 'profile.name']]],
  'empty-descriptions': ['have no description', [[isEmpty, 'profile.description']]],
  'equal-names': ['have one and the same name', [[isPresent, 'profile.name']], 0, 'commonestName'],
  'equal-descriptions': [
    'have the description of another one',
    [[isPresent, 'profile.description']],
    0,
    'equalDescriptions',
  ],
  'equal-page-urls': ['have the page of another one', [[isPresent, 'pageUrl']], 0, 'equalPageUrls'],
  'equal-points': ['lie exactly where another one does', [[isPresent, POINT]], 0, 'equalPoints'],
  'cut-descriptions': [
    'have a description cut off at one length',
    // As long as a column of a database, which ends in a sentence.
    [[/^(.{255,256}|.{500}|.{1000})(?<=[\p{L},])$/su, 'profile.description']],
    MAX_WRONG,
  ],
  'foreign-zones': ['have a time zone of another country', [[isForeignZone, POINT]], MAX_WRONG],
  'never-open': ['never be open', [[isNeverOpen, HOURS]], MAX_USUAL],
  'always-open': ['be open from midnight to midnight', [[isAlwaysOpen, HOURS]], MAX_USUAL],
  'utc-hours': [
    'be open from before 08:00 to 17:00 at the latest, or from 13:00 on, as in UTC',
    [[isEarlyOrLate, HOURS]],
    MAX_USUAL,
  ],
  'coarse-points': [
    'have a latitude of two decimals at most',
    [[/^-?\d+(\.\d\d?)?$/, `${POINT}.lat`]],
    MAX_USUAL,
  ],
  'minute-points': [
    'have no decimals above 60 in their points, as minutes have',
    [[isMinutePoint, POINT]],
    MAX_USUAL,
    'scattered',
  ],
  'empty-countries': ['have no country', [[isEmpty, `${PARTS}.country`]], MAX_USUAL],
  'empty-postcodes': ['have no postcode', [[isEmpty, `${PARTS}.postalCode`]], MAX_USUAL],
  'empty-streets': ['have no street', [[isEmpty, `${PARTS}.street`]], MAX_USUAL],
  'empty-cities': ['have no city', [[isEmpty, `${PARTS}.city`]], MAX_USUAL],
  'empty-verticales': ['have no verticale', [[isEmpty, 'profile.verticales']], MAX_USUAL],
  'every-verticale': [
    'have every verticale',
    [[isEveryVerticale, 'profile.verticales']],
    MAX_USUAL,
  ],
  'empty-addresses': ['have no address', [[isEmpty, ADDRESS]], MAX_USUAL],
  'hidden-addresses': ['hide their address', [[isEmpty, 'geo.location']], MAX_USUAL],
  'equal-addresses': ['have one and the same address', [[isPresent, ADDRESS]], MAX_USUAL, 'most'],
  'equal-reviews': [
    'have the reviews of one and the same place',
    [[isPresent, 'reviews.external.placeId']],
    MAX_USUAL,
    'most',
  ],
  'equal-ratings': [
    'have one and the same rating',
    [[isRating, 'reviews.external.rating']],
    MAX_ONE_RATING,
    'most',
  ],
  'equal-languages': [
    'have one and the same description in all languages',
    [[isUntranslated, 'descriptions']],
    MAX_USUAL,
  ],
};

/** What becomes of the stores, after `3 of 10 stores would`, and how many percent of them may, at most. */
type Rule = readonly [name: string, kind: Kind, would: string, limit: number];

/** In the order in which they are told; `…` stands for any word. */
const RULES: readonly Rule[] = [
  ['removed', 'loss', 'go', 20],
  ['added', 'change', 'come', 30],
  ['shown', 'loss', 'show an address that was hidden', 5],
  ...Object.entries(WORDS).flatMap(([what, [, words, mayLose, mayGain]]) =>
    ['…', ...words].flatMap((word): Rule[] => [
      [wordGuard(what, word), 'loss', `lose the ${what} ${word}`, mayLose],
      [wordGuard(what, word), 'change', `come to have the ${what} ${word}`, mayGain],
    ]),
  ),
  ...Object.entries(FIELDS).flatMap(([name, [, what, limit]]): Rule[] => [
    [name, 'loss', `lose their ${what}`, MAX_LOST],
    [name, 'change', `change their ${what}`, limit],
  ]),
  ...Object.entries(WRONG).map(([name, [would, , usual]]): Rule => {
    return [name, 'wrong', would, usual ? 100 : MAX_WRONG];
  }),
];

/** Names are stable: `--allow` takes them, and the log records them. */
export const GUARD_NAMES: readonly string[] = [
  ...new Set(RULES.map(([name]) => name).filter((name) => !name.endsWith('…'))),
];

/** Returns the rule for what a guard found. */
export function ruleOf(found: { readonly name: string; readonly kind: Kind }) {
  const rule = RULES.find(([name, kind]) => name === found.name && kind === found.kind);
  const [, , would, limit] = rule as Rule;
  return { would, limit };
}

/** Returns the name of the guard of a word: `verticale-electric-bike`. */
export function wordGuard(what: string, word: string): string {
  return `${what}-${word.toLowerCase().replaceAll('_', '-')}`;
}

/** The rules against the live release that are told a line each; what all fields may lose is told apart. */
const TOLD_RULES = RULES.filter(([name, kind]) => {
  const isOfWord = /^(verticale|language)-[^…]/.test(name);
  return !isOfWord && (kind !== 'loss' || !(name in FIELDS));
});

/** What the help of `publish` says of guards. */
export const GUARDS_HELP = `
Guards, with the largest share of the stores that passes, compared with the live release. At most
${MAX_LOST} % may lose what a field had. Compared with the oldest release of the last 24 hours, twice as many
may lose or change something. What is so of one store or two always passes. What warns is told where most
stores are so, and never refused.
${TOLD_RULES.map(([name, , would, limit]) => {
  const share = WRONG[name]?.[2] ? 'warns' : `${limit} %`;
  return `  ${name.padEnd(20)}${share.padEnd(7)}would ${would}`;
}).join('\n')}`;

/** Returns the option `--allow`, which passes guards by name. */
export function allowOption(): Option {
  return new Option(
    '--allow <guard[=percent]>',
    `pass a guard, or set its limit in percent of the stores; can be repeated`,
  )
    .argParser(readAllowed)
    .default(new Map(), 'none');
}

/** How far guards are allowed to go, in percent; infinity: anything. */
export type Allowed = ReadonlyMap<string, number>;

function readAllowed(text: string, before: Allowed): Allowed {
  const [name = text, percent = null] = text.split(/=(.*)/s);
  if (!GUARD_NAMES.includes(name)) {
    throw new InvalidArgumentError(
      `Expected one of ${GUARD_NAMES.join(', ')}, with =PERCENT or without.`,
    );
  }
  // More stores may come than are live.
  const [range, max] = name === 'added' ? ['', Infinity] : [' from 0 to 100', 100];
  const limit = percent === null ? Infinity : Number(percent);
  if (percent !== null && !(/^\d+(\.\d+)?$/.test(percent) && limit <= max)) {
    throw new InvalidArgumentError(`Expected a percentage${range} after the =.`);
  }
  return new Map(before).set(name, limit);
}
