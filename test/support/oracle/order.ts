/** The order of a list: sort keys, missing values last, ties by id. */

import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';

/** A store of the list; `distance` in km, not rounded, where a position or delivery point was asked for. */
export interface Entry {
  readonly store: SourceStore;
  readonly locationIndex: number;
  readonly distance: number | undefined;
  /** Where a delivery point was asked for. */
  readonly deliveryPrice?: number;
  /** Where words were asked for. */
  readonly relevance: readonly [named: number, whole: number] | undefined;
}

type Comparison = (a: Entry, b: Entry) => number;

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
  const keys = sort ?? (nearestFirst ? ['distance'] : ['relevance']);
  const comparisons = keys.map((key) => comparisonOf(key, lang));
  return [...entries].sort((a, b) => {
    for (const compare of comparisons) {
      const difference = compare(a, b);
      if (difference !== 0) return difference;
    }
    return byId(a, b);
  });
}

function comparisonOf(key: string, lang: Language | undefined): Comparison {
  const [field, direction] = key.split('__');
  const sign = direction === 'desc' ? -1 : 1;
  const by =
    (compare: (a: string, b: string) => number, read: (store: SourceStore) => string): Comparison =>
    (a, b) =>
      sign * compare(read(a.store), read(b.store));
  switch (field) {
    case 'id':
      return (a, b) => sign * byId(a, b);
    case 'slug':
      return by(byCodeUnit, ({ slug }) => slug);
    case 'profile.name':
    case 'name':
      return by(collation(lang), ({ profile }) => profile.name);
    case 'localization.default':
      return by(byCodeUnit, ({ localization }) => localization.default);
    case 'temporal.timezone':
      return by(byCodeUnit, ({ temporal }) => temporal.timezone);
    case 'pricing.currency.isoCode':
    case 'currency.isoName':
      return by(byCodeUnit, ({ pricing }) => pricing.currency.isoCode);
    case 'metadata.timestamps.createdAt':
      return by(byInstant, ({ metadata }) => metadata.timestamps.createdAt);
    case 'reviews.external.rating':
    case 'externalRating':
      return missingLast(sign, ({ store }) => store.reviews.external?.rating);
    case 'reviews.external.total':
    case 'externalReviewsNb':
      return missingLast(sign, ({ store }) => store.reviews.external?.total);
    case 'relevance':
      return (
        { relevance: [named, whole] = [0, 0] },
        { relevance: [otherNamed, other] = [0, 0] },
      ) => otherNamed - named || other - whole;
    case 'distance':
      // Distances compare in whole millimetres.
      return missingLast(sign, ({ distance }) =>
        distance === undefined ? undefined : Math.round(distance * 1e6),
      );
    case 'deliveryPrice':
      return missingLast(sign, ({ deliveryPrice }) => deliveryPrice);
    default:
      throw new Error(`not a sortable field: ${key}`);
  }
}

function missingLast(sign: number, read: (entry: Entry) => number | undefined): Comparison {
  return (a, b) => {
    const left = read(a);
    const right = read(b);
    if (left === undefined && right === undefined) return 0;
    if (left === undefined) return 1;
    if (right === undefined) return -1;
    return sign * (left - right);
  };
}

/** Ids are hexadecimal numbers: the case of their letters means nothing. */
function byId(a: Entry, b: Entry): number {
  return byCodeUnit(a.store.id.toLowerCase(), b.store.id.toLowerCase());
}

function byCodeUnit(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** By language: to make one takes longer than to sort by it. */
const collators = new Map<Language, Intl.Collator>();

/** English has no tailoring: it is the root collation, by a name that every runtime knows. */
function collation(lang: Language = 'en'): (a: string, b: string) => number {
  const options = { sensitivity: 'accent', numeric: true } as const;
  const collator = collators.get(lang) ?? new Intl.Collator(lang, options);
  collators.set(lang, collator);
  return collator.compare;
}

/** Compares ISO 8601 date-times as instants, to the last digit of their fractions. */
function byInstant(a: string, b: string): number {
  const [secondsA, fractionA] = splitInstant(a);
  const [secondsB, fractionB] = splitInstant(b);
  return secondsA - secondsB || byCodeUnit(fractionA, fractionB);
}

/** Whole seconds as epoch milliseconds, and the digits of the fraction without closing zeros. */
function splitInstant(text: string): [number, string] {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return [Date.parse(text.replace(/\.\d+/, '')), fraction.replace(/0+$/, '')];
}
