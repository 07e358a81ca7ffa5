/** Precomputed sort columns: the rank of every store under each sortable field. */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { type RankedColumn, rankPart } from '../snapshot/index-parts.ts';
import type { StoreFacts } from './store-facts.ts';

type Compare<Value> = (a: Value, b: Value) => number;

const byCodeUnit: Compare<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byNumber: Compare<number> = (a, b) => a - b;

/** Rank columns by the name of their part, for stores in ordinal order. */
export function rankStores(stores: readonly StoreFacts[]): Map<string, Uint32Array> {
  const ranks = new Map<string, Uint32Array>();
  const add = (column: RankedColumn, values: Uint32Array) => {
    ranks.set(rankPart(column, null), values);
  };
  const names = stores.map((store) => store.name);
  for (const [language, compare] of nameCollations()) {
    ranks.set(rankPart('name', language), rankValues(names, compare));
  }
  add(
    'defaultLanguage',
    rankValues(
      stores.map((store) => store.defaultLanguage),
      byCodeUnit,
    ),
  );
  add(
    'timezone',
    rankValues(
      stores.map((store) => store.timezone),
      byCodeUnit,
    ),
  );
  add(
    'currency',
    rankValues(
      stores.map((store) => store.currency),
      byCodeUnit,
    ),
  );
  add(
    'createdAt',
    rankValues(
      stores.map((store) => instantOf(store.createdAt)),
      byInstant,
    ),
  );
  add(
    'rating',
    rankValues(
      stores.map((store) => store.rating),
      byNumber,
    ),
  );
  add(
    'reviews',
    rankValues(
      stores.map((store) => store.reviews),
      byNumber,
    ),
  );
  return ranks;
}

function nameCollations(): [Language | null, Compare<string>][] {
  return [null, ...LANGUAGES].map((language) => [
    language,
    // 'und' is the root collation.
    new Intl.Collator(language ?? 'en', { sensitivity: 'accent', numeric: true }).compare,
  ]);
}

/** Dense ranks from 1; equal values share one, null ranks 0. */
export function rankValues<Value>(
  values: readonly (Value | null)[],
  compare: Compare<Value>,
): Uint32Array {
  const present = [...values.keys()].filter((store) => values[store] !== null);
  const at = (store: number) => values[store] as Value;
  present.sort((a, b) => compare(at(a), at(b)));
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  present.forEach((store, position) => {
    const previous = present[position - 1];
    if (previous === undefined || compare(at(previous), at(store)) !== 0) rank++;
    ranks[store] = rank;
  });
  return ranks;
}

/** A point in time: milliseconds since 1970, and the digits of the second beyond them. */
interface Instant {
  readonly milliseconds: number;
  readonly beyond: string;
}

/** The instant of an ISO 8601 date-time, whatever its offset and precision. */
export function instantOf(timestamp: string): Instant {
  const beyond = /\.\d{3}(\d+)/.exec(timestamp)?.[1] ?? '';
  return { milliseconds: Date.parse(timestamp), beyond: beyond.replace(/0+$/, '') };
}

export const byInstant: Compare<Instant> = (a, b) =>
  a.milliseconds - b.milliseconds || byCodeUnit(a.beyond, b.beyond);
