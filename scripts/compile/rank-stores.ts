/** Precomputed sort columns: the rank of every store under each sortable field. */
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { type RankedColumn, rankPart } from '../../src/snapshot/manifest.ts';
import type { StoreFacts } from './store-facts.ts';

type Compare<Value> = (a: Value, b: Value) => number;

const byCodeUnit: Compare<string> = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const byNumber: Compare<number> = (a, b) => a - b;

/** How the stores rank under one field. */
type Ranking = (stores: readonly StoreFacts[]) => Uint32Array;

function ranking<Value>(
  read: (store: StoreFacts) => Value | null,
  compare: Compare<Value>,
): Ranking {
  return (stores) => rankValues(stores.map(read), compare);
}

const RANKINGS: Readonly<Record<Exclude<RankedColumn, 'name'>, Ranking>> = {
  slug: ranking((store) => store.slug, byCodeUnit),
  defaultLanguage: ranking((store) => store.defaultLanguage, byCodeUnit),
  timezone: ranking((store) => store.timezone, byCodeUnit),
  currency: ranking((store) => store.currency, byCodeUnit),
  createdAt: ranking((store) => instantOf(store.createdAt), byInstant),
  rating: ranking((store) => store.rating, byNumber),
  reviews: ranking((store) => store.reviews, byNumber),
};

/** Rank columns by the name of their part, for stores in ordinal order. */
export function rankStores(stores: readonly StoreFacts[]): Map<string, Uint32Array> {
  const ranks = rankNames(stores.map(({ name }) => name));
  for (const [column, rank] of Object.entries(RANKINGS)) {
    ranks.set(rankPart(column as RankedColumn, null), rank(stores));
  }
  return ranks;
}

function rankNames(names: readonly string[]): Map<string, Uint32Array> {
  const ranks = new Map<string, Uint32Array>();
  // Languages order names much alike: what one has sorted leaves the next one little to do.
  const order = [...names.keys()];
  for (const language of [null, ...LANGUAGES]) {
    // The collation of English is the root collation. Intl does not know 'und', the name for the
    // root: it would take the machine's locale, and a release must be the same on every machine.
    const collation = language ?? 'en';
    const { compare } = new Intl.Collator(collation, { sensitivity: 'accent', numeric: true });
    ranks.set(rankPart('name', language), sortAndRank(order, names, compare));
  }
  return ranks;
}

/** Ranks from 1 without gaps. Equal values have one rank, null has rank 0. */
export function rankValues<Value>(
  values: readonly (Value | null)[],
  compare: Compare<Value>,
): Uint32Array {
  const present = [...values.keys()].filter((store) => values[store] !== null);
  return sortAndRank(present, values, compare);
}

/** Sorts `stores`, which have values, by them and ranks them. */
function sortAndRank<Value>(
  stores: number[],
  values: readonly (Value | null)[],
  compare: Compare<Value>,
): Uint32Array {
  const at = (store: number) => values[store] as Value;
  stores.sort((a, b) => compare(at(a), at(b)));
  const ranks = new Uint32Array(values.length);
  let rank = 0;
  stores.forEach((store, position) => {
    const previous = stores[position - 1];
    if (previous === undefined || compare(at(previous), at(store)) !== 0) rank++;
    ranks[store] = rank;
  });
  return ranks;
}

interface Instant {
  /** Since 1970. */
  readonly milliseconds: number;
  /** Digits of the second after the milliseconds, without zeros at the end: `5` for `.123500`. */
  readonly beyond: string;
}

/** The instant of an ISO 8601 date-time. */
export function instantOf(timestamp: string): Instant {
  const beyond = /\.\d{3}(\d+)/.exec(timestamp)?.[1] ?? '';
  return { milliseconds: Date.parse(timestamp), beyond: beyond.replace(/0+$/, '') };
}

/** Orders instants from early to late. */
export function byInstant(a: Instant, b: Instant): number {
  if (a.milliseconds !== b.milliseconds) return a.milliseconds - b.milliseconds;
  return a.beyond < b.beyond ? -1 : Number(a.beyond > b.beyond);
}
