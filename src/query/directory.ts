/** Looks stores up, filters, orders and pages them, over the columns of a release. */

import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Language } from '../model/enumerations.ts';
import { ID_PATTERN } from '../model/store.ts';
import type { RankColumn } from '../snapshot/rank-column.ts';
import { RecordReader } from '../snapshot/record-reader.ts';
import type { FoundStores } from './found-stores.ts';
import { findWithin } from './nearest.ts';
import type { ListQuery, PositionFilter, SortKey } from './queries.ts';
import { type Compare, selectSmallest } from './select-smallest.ts';
import { orderByRanks, type RankKey, sortPlace } from './sort-order.ts';
import { filterStores, filters, passes } from './verticale-filter.ts';

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
export async function findStore(release: LoadedRelease, idOrSlug: string): Promise<number | null> {
  // No slug looks like an id: the compiler refuses it.
  if (ID_PATTERN.test(idOrSlug)) return (await release.ids()).find(idOrSlug);
  return (await release.slugs()).find(idOrSlug);
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
  const accepts = filters(query.verticales)
    ? (store: number) => passes(query.verticales, verticales[store] as number)
    : null;
  const keys = await nearbyKeys(release, query.sort, query.language);
  const places = await release.places();
  // From here on nothing waits: another search would take over what this one finds.
  const found = findWithin(places, position, accepts);
  const end = Math.min(found.count, query.skip + query.limit);
  const slots = isNearestFirst(query.sort) ? found.nearest(end) : found.all();
  const page = selectSmallest(slots, end, compareFound(found, keys)).subarray(query.skip);
  return {
    total: found.count,
    stores: page.map((slot) => found.store(slot)),
    locations: page.map((slot) => found.location(slot)),
    distances: Float64Array.from(page, (slot) => found.distance(slot)),
  };
}

function isNearestFirst([first]: readonly SortKey[]): boolean {
  return first?.column === 'distance' && !first.descending;
}

/** A sort key of a search by position; `ranks` is null for the distance. */
interface NearbyKey {
  readonly ranks: RankColumn | null;
  readonly descending: boolean;
}

async function nearbyKeys(
  release: LoadedRelease,
  sort: readonly SortKey[],
  language: Language | null,
): Promise<NearbyKey[]> {
  const keys: NearbyKey[] = [];
  for (const { column, descending } of sort) {
    const ranks = column === 'distance' ? null : await release.ranks(column, language);
    keys.push({ ranks, descending });
  }
  return keys;
}

/** How two of the stores found compare, by their slots. */
function compareFound(found: FoundStores, keys: readonly NearbyKey[]): Compare {
  const comparisons = keys.map(({ ranks, descending }): Compare => {
    if (ranks === null) {
      const sign = descending ? -1 : 1;
      return (a, b) => sign * (found.distance(a) - found.distance(b));
    }
    const place = (slot: number) =>
      sortPlace(ranks.ranks[found.store(slot)] as number, ranks.highest, descending);
    return (a, b) => place(a) - place(b);
  });
  const byOrdinal: Compare = (a, b) => found.store(a) - found.store(b);
  return comparisons.reduceRight<Compare>(
    (next, compare) => (a, b) => compare(a, b) || next(a, b),
    byOrdinal,
  );
}
