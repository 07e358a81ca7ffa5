/**
 * What keeps a senseless export from going live: one row for each thing that is looked at, with how far it
 * may go. Limits are in percent of the stores, against the live release and against that of a day ago.
 *
 * - `count`: stores that the index parts tell exactly
 * - `verticale`: of the stores of one verticale those that lose it, told in the same way; each verticale by itself
 * - `field`: stores that differ in some fields, and of these those that lose what they had; told by the
 *   records of up to 1,000 changed stores
 * - `text`: stores that come to have something in them that is wrong in itself, by the same records
 * - `share`: stores of which something is true, and how their share rises, in points; told by the figures of
 *   a release, so that a first publication is judged too
 */
import type { Figures } from '../compile/count-figures.ts';
import type { LocatedValue } from '../source/values-in.ts';
import { findErrorText, findOddValue } from './odd-text.ts';

/** Some of the stores, and how many there are in all. */
export interface Part {
  readonly count: number;
  readonly of: number;
}

interface Base {
  readonly name: string;
  /** What becomes of the stores, after `3 of 10 stores would`. */
  readonly would: string;
  /** Against the live release; null: anything. */
  readonly limit: number | null;
  /** Against that of a day ago; by default twice as much, and the same for what looks at shares. */
  readonly day?: number;
  /** Whether it applies to fewer than 20 stores too, where it refuses only what is true of all of them. */
  readonly guardsFew?: boolean;
  /**
   * What is true of fewer stores is not refused, unless the limit is 0; by default 2, and 2 at least
   * among 20 stores or more.
   */
  readonly fewest?: number;
}

export interface CountRow extends Base {
  readonly looksAt: 'count';
}

export interface VerticaleRow extends Base {
  readonly looksAt: 'verticale';
  /** What becomes of the stores of one verticale. */
  readonly lose: (verticale: string) => string;
}

export interface FieldRow extends Base {
  readonly looksAt: 'field';
  /** Of answers: the first row whose paths match has the field. */
  readonly paths: RegExp;
  /** What becomes of those that lose what they had, of which `LOST` is the limit. */
  readonly lose: string;
  /** Whether a value loses what another had. */
  readonly isLost: (before: unknown, after: unknown) => boolean;
}

export interface TextRow extends Base {
  readonly looksAt: 'text';
  /** What a record has in it that should be in none. */
  readonly find: (record: unknown) => LocatedValue | undefined;
}

export interface ShareRow extends Base {
  readonly looksAt: 'share';
  readonly measure: (figures: Figures) => Part;
  /** Where nothing was live before, its limit and, unless it is the same, what it looks at. */
  readonly first?: {
    readonly limit: number;
    readonly measure?: (figures: Figures) => Part;
    readonly would?: string;
  };
  /** The row whose examples show it. */
  readonly shownBy: string;
}

export type Row = CountRow | VerticaleRow | FieldRow | TextRow | ShareRow;

/** Percent of the stores that may lose what a field held, whatever may change. */
export const LOST = 5;

const count = (name: string, would: string, limit: number, more: Partial<CountRow> = {}) =>
  ({ looksAt: 'count', name, would, limit, ...more }) satisfies CountRow;

const field = (
  name: string,
  what: string,
  paths: RegExp,
  limit: number | null,
  isLost: FieldRow['isLost'] = (_, after) => isEmpty(after),
): FieldRow => ({
  looksAt: 'field',
  name,
  would: `change their ${what}`,
  lose: `lose their ${what}`,
  paths,
  limit,
  isLost,
});

/** So many stores as a figure says, of all or of those that another one counts. */
const part =
  (counted: keyof Figures, of: keyof Figures = 'stores') =>
  (figures: Figures) => ({
    count: figures[counted],
    of: figures[of],
  });

const share = (
  name: string,
  would: string,
  limit: number,
  shownBy: string,
  measure: ShareRow['measure'],
  more: Partial<ShareRow> = {},
): ShareRow => ({
  looksAt: 'share',
  name,
  would,
  limit,
  shownBy,
  measure,
  ...more,
});

/** A list that has lost one of its values. */
const hasFewer = (before: unknown, after: unknown): boolean =>
  Array.isArray(before) && !before.every((value) => Array.isArray(after) && after.includes(value));

const WHERE_MANY_LOSE = '(counted only where over a third of its stores lose it)';

/** By names that are stable: `--allow` takes them, and the log records them. */
export const ROWS: readonly Row[] = [
  count('removed', 'go', 20, { day: 30, guardsFew: true, fewest: 1 }),
  count('added', 'come', 30, { day: 50 }),
  count('changed', 'change outside of what is allowed', 50, { day: 80 }),
  count('slug', 'get another slug', 5),
  count('position', 'move by 100 m or more', 5),
  count('shown', 'show an address that was hidden', 5, { fewest: 3 }),
  {
    looksAt: 'verticale',
    name: 'each-verticale',
    would: `lose a verticale ${WHERE_MANY_LOSE}`,
    lose: (verticale) => `lose the verticale ${verticale} ${WHERE_MANY_LOSE}`,
    limit: 0,
  },
  field('names', 'name', /^profile\.name$/, 20),
  field('descriptions', 'description', /^profile\.description/, 30),
  field('verticales', 'verticales', /^profile\.verticales/, 15, hasFewer),
  field('languages', 'languages', /^localization\./, 20, hasFewer),
  field('reviews', 'reviews', /^reviews\./, null, (_, after) => after === 0 || isEmpty(after)),
  field('time-zone', 'time zone', /^temporal\.timezone/, 5),
  field('hours', 'opening hours', /^temporal\./, 40),
  field('currency', 'currency', /^pricing\.currency/, 5),
  field('prices', 'prices', /^(pricing|modules\.delivery)\./, 20),
  field('payment', 'modules', /^modules\./, 20),
  field('booking', 'booking rules', /^booking\./, 20),
  field('country', 'country', /^geo\..*omponents\.country$/, 3),
  field('postcode', 'postal code', /^geo\..*\.postalCode$/, 5),
  field('addresses', 'address', /^geo\b(?!.*\.point\b)/, 15),
  field('page-url', 'page URL', /^pageUrl$/, 10),
  field('other', 'other fields', /^(?!slug$|geo\.)/, 50),
  {
    looksAt: 'text',
    name: 'error-text',
    would: 'have a text that is an error',
    limit: 1,
    find: findErrorText,
  },
  {
    looksAt: 'text',
    name: 'odd-values',
    would: 'have an odd value',
    limit: 5,
    find: findOddValue,
  },
  share(
    'hidden',
    'hide their address',
    10,
    'hidden',
    ({ stores, shown }) => ({ count: stores - shown, of: stores }),
    { guardsFew: true },
  ),
  share(
    'equal-points',
    'lie exactly where another one does',
    5,
    'position',
    part('equalPoints', 'shown'),
    {
      first: {
        limit: 30,
        would: 'lie at one and the same point',
        measure: part('commonestPoint', 'shown'),
      },
    },
  ),
  share('empty-names', 'have no name', 5, 'names', part('emptyNames'), {
    first: { limit: 5 },
    guardsFew: true,
  }),
  share('equal-names', 'have the name of another one', 5, 'names', part('equalNames'), {
    first: { limit: 30, would: 'have one and the same name', measure: part('commonestName') },
  }),
  share('empty-descriptions', 'have no description', 5, 'descriptions', part('emptyDescriptions'), {
    guardsFew: true,
  }),
  share(
    'equal-descriptions',
    'have the description of another one',
    5,
    'descriptions',
    part('equalDescriptions'),
  ),
  share('without-verticales', 'have no verticale', 5, 'verticales', part('withoutVerticales'), {
    guardsFew: true,
  }),
];

export const ROW_NAMES: readonly string[] = ROWS.map(({ name }) => name);

/** A line for each row, with its limit against the live release. */
export function describeRows(): string {
  const lines = ROWS.map(({ name, would, limit, looksAt }) => {
    const most = looksAt === 'share' ? `${limit} points more` : `${limit ?? 100} %`;
    return `  ${name.padEnd(20)}${most.padEnd(15)}would ${would}`;
  });
  return lines.join('\n');
}

export const TEXT_ROWS = ROWS.filter((row) => row.looksAt === 'text');

const FIELD_ROWS = ROWS.filter((row) => row.looksAt === 'field');

/** The row of a path of an answer; null: a `count` row has it. */
export function fieldRowOf(path: string): FieldRow | null {
  return FIELD_ROWS.find(({ paths }) => paths.test(path)) ?? null;
}

/** Whether a value says nothing, whatever holds it. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined;
}
