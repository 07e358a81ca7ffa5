/** Looks stores up, filters, orders and pages them, over the columns of a release. */

import type { LoadedRelease } from '../load/loaded-release.ts';
import { ID_PATTERN } from '../model/store.ts';
import { RecordReader } from '../snapshot/record-reader.ts';
import type { ListQuery, PositionFilter, SortKey } from './list-query.ts';
import { type FoundStores, findWithin } from './nearest.ts';
import { type Compare, selectSmallest } from './select-smallest.ts';
import { orderByRanks, type RankKey, sortPlace } from './sort-order.ts';
import { filterStores, passes } from './verticale-filter.ts';

const NEAREST_FIRST: readonly SortKey[] = [{ column: 'distance', descending: false }];

/** The page of a list: what to show, and how many stores match in all. */
export interface Matches {
  readonly total: number;
  /** Ordinals of the stores on the page. */
  readonly stores: ArrayLike<number>;
  /** Queried location of each store on the page; null without a position, when it is the main one. */
  readonly locations: ArrayLike<number> | null;
  /** Kilometres, not rounded; null without a position. */
  readonly distances: ArrayLike<number> | null;
}

/** The ordinal of the store with this id (in any case) or exactly this slug, or null. */
export function findStore(release: LoadedRelease, idOrSlug: string): number | null {
  const { stores } = release;
  // No slug looks like an id: the compiler refuses it.
  return ID_PATTERN.test(idOrSlug) ? stores.findId(idOrSlug) : stores.findSlug(idOrSlug);
}

/** The number of the store's rental point with this slug (1…), or null. */
export async function findRentalPoint(
  release: LoadedRelease,
  store: number,
  slug: string,
): Promise<number | null> {
  const [chunk] = await release.chunksOf([store]);
  if (!chunk) return null;
  const record = new RecordReader();
  record.moveTo(chunk, release.stores.recordOffset[store] as number);
  return record.findRentalPoint(slug);
}

/** The stores a list query matches, in its order, cut to its page. */
export async function queryStores(release: LoadedRelease, query: ListQuery): Promise<Matches> {
  if (query.position) return queryNearby(release, query, query.position);
  const ordered = await orderedStores(release, query);
  return {
    total: ordered.length,
    stores: ordered.subarray(query.skip, query.skip + query.limit),
    locations: null,
    distances: null,
  };
}

/** Every match of a query without a position, in order; computed once per release. */
async function orderedStores(release: LoadedRelease, query: ListQuery): Promise<Uint32Array> {
  const { sort, language, verticales } = query;
  const name = orderName(query);
  const known = release.orders.get(name);
  if (known) return known;
  const keys: RankKey[] = [];
  for (const { column, descending } of sort) {
    if (column === 'distance') continue;
    keys.push({ column: await release.ranks(column, language), descending });
  }
  const ordered = orderByRanks(filterStores(verticales, release.stores.verticales), keys);
  release.orders.set(name, ordered);
  return ordered;
}

/** What an order depends on: conditions, sort keys and, where names are compared, the language. */
function orderName({ verticales, sort, language }: ListQuery): string {
  const { allOf, anyOf, noneOf } = verticales;
  const keys = sort.map(({ column, descending }) => {
    const collation = column === 'name' ? language : null;
    return `${column}/${collation}/${descending}`;
  });
  return `${allOf} ${anyOf} ${noneOf} ${keys.join(' ')}`;
}

async function queryNearby(
  release: LoadedRelease,
  query: ListQuery,
  position: PositionFilter,
): Promise<Matches> {
  const { verticales } = release.stores;
  const accepts = (store: number) => passes(query.verticales, verticales[store] as number);
  const found = findWithin(await release.places(), position, accepts, release.scratch);
  const compare = await compareFound(release, found, query);
  const total = found.stores.length;
  const end = Math.min(total, query.skip + query.limit);
  const page = selectSmallest(total, end, compare).subarray(query.skip);
  return {
    total,
    stores: Uint32Array.from(page, (slot) => found.stores[slot] as number),
    locations: Uint32Array.from(page, (slot) => found.locations[slot] as number),
    distances: Float64Array.from(page, (slot) => found.distances[slot] as number),
  };
}

/** How two of the stores found compare, by their slots; the nearest first unless asked otherwise. */
async function compareFound(
  release: LoadedRelease,
  { stores, distances }: FoundStores,
  { sort, language }: ListQuery,
): Promise<Compare> {
  const comparisons: Compare[] = [];
  for (const { column, descending } of sort.length > 0 ? sort : NEAREST_FIRST) {
    if (column === 'distance') {
      const sign = descending ? -1 : 1;
      comparisons.push((a, b) => sign * ((distances[a] as number) - (distances[b] as number)));
    } else {
      const { ranks, highest } = await release.ranks(column, language);
      const place = (slot: number) =>
        sortPlace(ranks[stores[slot] as number] as number, highest, descending);
      comparisons.push((a, b) => place(a) - place(b));
    }
  }
  const byOrdinal: Compare = (a, b) => (stores[a] as number) - (stores[b] as number);
  return comparisons.reduceRight<Compare>(
    (next, compare) => (a, b) => compare(a, b) || next(a, b),
    byOrdinal,
  );
}
