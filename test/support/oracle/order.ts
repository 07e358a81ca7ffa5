/** The order of a list: sort keys, missing values last, ties by id. */

import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import { remembering } from '../remembering.ts';

/** A store of the list; `distance` in km, not rounded, where a position or delivery point was asked for. */
export interface Entry {
  readonly store: SourceStore;
  readonly locationIndex: number;
  readonly distance?: number;
  /** Where a delivery point was asked for. */
  readonly deliveryPrice?: number;
  /** Where words were asked for. */
  readonly relevance?: readonly [named: number, whole: number];
}

/** Deprecated fields, with those by which they sort. */
const TWINS: Readonly<Record<string, string>> = {
  name: 'profile.name',
  'currency.isoName': 'pricing.currency.isoCode',
  externalRating: 'reviews.external.rating',
  externalReviewsNb: 'reviews.external.total',
};

/**
 * Sorts a copy of `entries` by `sort` (entries such as `name__desc`); without it by distance where
 * there is one, else by relevance, else by id.
 */
export function inOrder(
  entries: readonly Entry[],
  sort: readonly string[] | undefined,
  lang: Language | undefined,
): Entry[] {
  const nearestFirst = entries.some((entry) => entry.distance !== undefined);
  const keys = sort ?? [nearestFirst ? 'distance' : 'relevance'];
  const comparisons = [...keys, 'id'].map((key) => comparisonOf(key, lang));
  return entries.toSorted((a, b) =>
    comparisons.reduce((difference, compare) => difference || compare(a, b), 0),
  );
}

function comparisonOf(key: string, lang: Language | undefined) {
  const [field = '', direction] = key.split('__');
  const path = TWINS[field] ?? field;
  const sign = direction === 'desc' ? -1 : 1;
  return (a: Entry, b: Entry): number => {
    const [left, right] = [comparedValue(a, path), comparedValue(b, path)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    if (path === 'profile.name') return sign * collation(lang).compare(String(left), String(right));
    if (path === 'metadata.timestamps.createdAt') {
      return sign * byInstant(String(left), String(right));
    }
    return sign * byValue(left, right);
  };
}

function comparedValue(entry: Entry, path: string): string | number | undefined {
  switch (path) {
    // Hexadecimal numbers: the case of their letters means nothing.
    case 'id':
      return entry.store.id.toLowerCase();
    // In whole millimetres.
    case 'distance':
      return entry.distance === undefined ? undefined : Math.round(entry.distance * 1e6);
    case 'deliveryPrice':
      return entry.deliveryPrice;
    case 'relevance': {
      const [named, whole] = entry.relevance ?? [0, 0];
      // No query has more than eight words.
      return -10 * named - whole;
    }
    default:
      return valueAt(entry.store, path) as string | number | undefined;
  }
}

/** What a store has at a dotted path. */
export const valueAt = (store: SourceStore, path: string): unknown =>
  path.split('.').reduce<unknown>((object, key) => Object(object)[key], store);

/** Numbers by size, texts by code unit. */
function byValue(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** English has no tailoring: it is the root collation, by a name that every runtime knows. */
const collation = remembering(
  (lang: Language = 'en') => new Intl.Collator(lang, { sensitivity: 'accent', numeric: true }),
);

/** Compares ISO 8601 date-times as instants, to the last digit of their fractions. */
function byInstant(a: string, b: string): number {
  const [secondsA, fractionA] = splitInstant(a);
  const [secondsB, fractionB] = splitInstant(b);
  return secondsA - secondsB || byValue(fractionA, fractionB);
}

/** Whole seconds as epoch milliseconds, and the digits of the fraction without closing zeros. */
function splitInstant(text: string): [number, string] {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return [Date.parse(text.replace(/\.\d+/, '')), fraction.replace(/0+$/, '')];
}
