/** Precomputed sort columns: the rank of every store under each sortable field. */
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { isRanked, SORT_FIELDS } from '../../src/model/sort-fields.ts';
import type { Part } from '../../src/snapshot/column-file.ts';
import { rankPart } from '../../src/snapshot/rank-column.ts';
import type { StoreFacts } from './store-facts.ts';

/** What stores are ranked by, names aside: texts by code unit, and numbers. */
const RANKED = new Set(
  Object.values(SORT_FIELDS)
    .filter(isRanked)
    .filter((column) => column !== 'name'),
);

/** Returns the rank columns by their part, for stores in ordinal order. */
export function rankStores(stores: readonly StoreFacts[]): Map<Part, Uint32Array> {
  const ranks = rankNames(stores.map(({ name }) => name));
  for (const column of RANKED) {
    ranks.set(rankPart(column, null), rankValues(stores.map((store) => store[column])));
  }
  return ranks;
}

function rankNames(names: readonly string[]): Map<Part, Uint32Array> {
  const ranks = new Map<Part, Uint32Array>();
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
function rankValues(values: readonly (string | number | null)[]): Uint32Array {
  const present = [...values.keys()].filter((store) => values[store] !== null);
  return sortAndRank(present, values, (a, b) => (a < b ? -1 : Number(a > b)));
}

/** Sorts `stores`, which have values, by them and ranks them. */
function sortAndRank<Value extends string | number>(
  stores: number[],
  values: readonly (Value | null)[],
  compare: (a: Value, b: Value) => number,
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
