/** The stores that a list query matches, over the columns of a release: filtered, ordered, paged. */

import type { Background } from '../load/background.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import {
  CHUNKS_PART,
  ID_CASES_PART,
  IDS_PART,
  isRanked,
  PLACES_PART,
  rankPart,
  VERTICALES_PART,
} from '../snapshot/manifest.ts';
import type { FoundStores } from './found-stores.ts';
import { findWithin } from './nearest.ts';
import type { ListQuery, PositionFilter, SortKey } from './queries.ts';
import {
  type Compare,
  orderByRanks,
  type RankKey,
  selectSmallest,
  sortPlace,
} from './sort-order.ts';
import { filterStores, filters, passes } from './verticale-filter.ts';

/** The page of a list: what to show, and how many stores match in all. */
export interface Matches {
  readonly total: number;
  /** Ordinals of the stores on the page. */
  readonly stores: ArrayLike<number>;
  /** Whether stores that match come after those of the page. */
  readonly hasMore: boolean;
  /** Queried location of each store on the page; null without a position, when it is the main one. */
  readonly locations: ArrayLike<number> | null;
  /** Kilometres, not rounded; null without a position. */
  readonly distances: ArrayLike<number> | null;
}

/**
 * The index parts that the answer to a list query needs. One that asks for the total alone needs no
 * chunks, and reads their list all the same: the query that comes next does.
 */
export function partsForList(query: ListQuery): string[] {
  const { position, verticales, sort, language, after, ids } = query;
  const parts: string[] = [CHUNKS_PART];
  if (position) parts.push(PLACES_PART);
  if (filters(verticales)) parts.push(VERTICALES_PART);
  if (ids !== null || after !== null) parts.push(IDS_PART);
  if (after !== null) parts.push(ID_CASES_PART);
  for (const { column } of sort) {
    if (isRanked(column)) parts.push(rankPart(column, language));
  }
  return parts;
}

/**
 * The stores a list query matches, in its order, cut to its page.
 * @throws ProblemError storage_unreachable, SnapshotFormatError
 */
export async function queryStores(
  release: LoadedRelease,
  query: ListQuery,
  background: Background,
): Promise<Matches> {
  const loading = release.load(partsForList(query), background);
  if (loading) await loading;
  if (query.position) return queryNearby(release, query, query.position);
  const { sort, verticales, ids } = query;
  if (ids !== null) return pageOf(fewStores(release, query, ids), release, query);
  if (sort.length === 0 && !filters(verticales)) return pageById(release, query);
  return pageOf(orderedStores(release, query), release, query);
}

/** Ordinals follow ids, so a page of all stores needs no order. */
function pageById(release: LoadedRelease, { skip, limit, after }: ListQuery): Matches {
  const { storeCount } = release;
  const first = after === null ? skip : storesUpTo(release, after);
  const count = Math.max(0, Math.min(limit, storeCount - first));
  const stores = new Uint32Array(count);
  for (let place = 0; place < count; place++) stores[place] = first + place;
  const hasMore = first + count < storeCount;
  return { total: storeCount, stores, hasMore, locations: null, distances: null };
}

/** The page of `ordered`, all stores that match. */
function pageOf(ordered: Uint32Array, release: LoadedRelease, query: ListQuery): Matches {
  const { skip, limit, after } = query;
  const first = after === null ? skip : placeOf(storesUpTo(release, after), ordered);
  const stores = ordered.subarray(first, first + limit);
  const hasMore = first + stores.length < ordered.length;
  return { total: ordered.length, stores, hasMore, locations: null, distances: null };
}

/** How many stores of the release have no id after this one: the ordinal of the first that has. */
function storesUpTo(release: LoadedRelease, after: string): number {
  return release.ids.countUpTo(after, release.idCases);
}

/** The first place of `ordered`, ascending ordinals, that holds `store` or one after it. */
function placeOf(store: number, ordered: Uint32Array): number {
  let low = 0;
  let high = ordered.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] as number) < store) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every match of a query that names the stores it wants, in order. */
function fewStores(release: LoadedRelease, query: ListQuery, ids: readonly string[]): Uint32Array {
  const named = Uint32Array.from(storesNamed(release, ids));
  const accepts = verticaleTest(release, query);
  const stores = accepts ? named.filter(accepts) : named;
  return stores.sort(compareStores(release, query));
}

/** The ordinals of the stores with these ids, as far as there are such stores. */
function storesNamed(release: LoadedRelease, ids: readonly string[]): number[] {
  return ids.flatMap((id) => release.ids.find(id) ?? []);
}

/** Every match of a query without a position, in order; kept for the release while there is room. */
function orderedStores(release: LoadedRelease, query: ListQuery): Uint32Array {
  const { sort, verticales, language } = query;
  const name = orderName(query);
  const known = release.orders.get(name);
  if (known) return known;
  const matching = filters(verticales)
    ? filterStores(verticales, release.verticales)
    : new Uint32Array(release.storeCount).map((_, store) => store);
  const keys = sort.map(({ column, descending }): RankKey => {
    const ranks = isRanked(column) ? release.ranks(rankPart(column, language)) : null;
    return { ranks, descending };
  });
  const ordered = orderByRanks(matching, keys);
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

function queryNearby(release: LoadedRelease, query: ListQuery, position: PositionFilter): Matches {
  // The next search of the table takes over what this one finds: nothing waits from here on.
  const found = findWithin(release.places, position, storeTest(release, query));
  const end = Math.min(found.count, query.skip + query.limit);
  const slots = isNearestFirst(query.sort) ? found.nearest(end) : found.all();
  const compare = compareFound(found, release, query);
  const page = selectSmallest(slots, end, compare).subarray(query.skip);
  return {
    total: found.count,
    stores: page.map((slot) => found.store(slot)),
    hasMore: end < found.count,
    locations: page.map((slot) => found.location(slot)),
    distances: Float64Array.from(page, (slot) => found.distance(slot)),
  };
}

type StoreTest = (store: number) => boolean;

/** Tells of a store, by its ordinal, whether it passes all conditions but the position; null: each does. */
function storeTest(release: LoadedRelease, query: ListQuery): StoreTest | null {
  const passesVerticales = verticaleTest(release, query);
  if (query.ids === null) return passesVerticales;
  const named = new Set(storesNamed(release, query.ids));
  return (store) => named.has(store) && (passesVerticales === null || passesVerticales(store));
}

/** Tells of a store whether it passes the verticale conditions; null: there are none. */
function verticaleTest(release: LoadedRelease, query: ListQuery): StoreTest | null {
  if (!filters(query.verticales)) return null;
  const { verticales } = release;
  return (store) => passes(query.verticales, verticales[store] as number);
}

function isNearestFirst([first]: readonly SortKey[]): boolean {
  return first?.column === 'distance' && !first.descending;
}

/** How two stores compare, by their ordinals, where no distance counts. */
function compareStores(release: LoadedRelease, { sort, language }: ListQuery): Compare {
  return inTurn(
    sort.map((key) => compareByKey(release, key, language)),
    byOrdinal,
  );
}

/** How two of the stores found compare, by their slots. */
function compareFound(
  found: FoundStores,
  release: LoadedRelease,
  { sort, language }: ListQuery,
): Compare {
  const bySlot =
    (compare: Compare): Compare =>
    (a, b) =>
      compare(found.store(a), found.store(b));
  const comparisons = sort.map((key): Compare => {
    if (key.column !== 'distance') return bySlot(compareByKey(release, key, language));
    const sign = key.descending ? -1 : 1;
    return (a, b) => sign * (found.distance(a) - found.distance(b));
  });
  return inTurn(comparisons, bySlot(byOrdinal));
}

const byOrdinal: Compare = (a, b) => a - b;

/** The first comparison decides; where it finds no difference, the next one; `last` at last. */
function inTurn(comparisons: readonly Compare[], last: Compare): Compare {
  return comparisons.reduceRight<Compare>(
    (next, compare) => (a, b) => compare(a, b) || next(a, b),
    last,
  );
}

function compareByKey(
  release: LoadedRelease,
  { column, descending }: SortKey,
  language: ListQuery['language'],
): Compare {
  if (!isRanked(column)) return descending ? (a, b) => b - a : byOrdinal;
  const { ranks, highest } = release.ranks(rankPart(column, language));
  const place = (store: number) => sortPlace(ranks[store] as number, highest, descending);
  return (a, b) => place(a) - place(b);
}
