/** The stores that a list query matches, over the columns of a release: filtered, ordered, paged. */

import type { Background } from '../load/background.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Language } from '../model/enumerations.ts';
import { CHUNKS_PART } from '../snapshot/chunk-table.ts';
import { lowerBound } from '../snapshot/lower-bound.ts';
import type { Part } from '../snapshot/part.ts';
import { type RankColumn, rankPart } from '../snapshot/rank-column.ts';
import type { ByName, PlaceCondition } from './conditions/condition.ts';
import { type Filter, placeOf, type StoreFilter, storeFilter, testOf } from './filter-stores.ts';
import type { FoundStores } from './found-stores.ts';
import type { ListQuery } from './queries.ts';
import {
  type Compare,
  orderByRanks,
  type RankKey,
  type SortKey,
  selectSmallest,
  sortPlace,
} from './sort-order.ts';

/** The page of a list: what to show, and how many stores match in all. */
export interface Matches {
  readonly total: number;
  /** Ordinals of the stores on the page. */
  readonly stores: ArrayLike<number>;
  /** Whether stores that match come after those of the page. */
  readonly hasMore: boolean;
  /** Queried location of each store on the page; null: the main one of each. */
  readonly locations: ArrayLike<number> | null;
  /** Kilometres, not rounded; null without a position. */
  readonly distances: ArrayLike<number> | null;
}

/** A page, with what else the answer tells. */
export interface ListMatches extends Matches {
  /** What conditions tell of what they found, for the headers of the answer. */
  readonly headers: ByName;
  /** Members of the body by name, as JSON. */
  readonly counts: ByName;
}

/**
 * The index parts that the answer to a list query needs. One that asks for the total alone needs no
 * chunks, and reads their list all the same: the query that comes next does.
 */
export function partsForList({ conditions, sort, language }: ListQuery): Part[] {
  const parts: Part[] = [CHUNKS_PART];
  for (const condition of conditions) parts.push(...condition.parts);
  for (const { column } of sort) {
    const part = partOfColumn(column, language);
    if (part !== null) parts.push(part);
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
): Promise<ListMatches> {
  await release.load(partsForList(query), background);
  // From here on nothing waits: conditions fill columns that the next request uses again.
  const filter = storeFilter(release, query.conditions);
  const place = placeOf(query.conditions);
  const matches = place ? searchPlace(query, place, filter) : pageOf(query, filter);
  const headers = Object.assign({}, ...filter.filters.map(({ kept }) => kept.headers?.()));
  return { ...matches, headers, counts: countsOf(query, filter) };
}

function countsOf({ conditions }: ListQuery, filter: StoreFilter): ByName {
  const counts = conditions.filter((each) => each.kind === 'count');
  const others = conditions.filter((each) => each.kind !== 'count');
  // The next search takes over what the one before has found: the page has been copied out of it.
  return Object.fromEntries(
    counts.map((each) => [each.name, each.count(filter.release, others, filter.passing)]),
  );
}

/** The page of a query without a place. */
function pageOf(query: ListQuery, filter: StoreFilter): Matches {
  const { release, filters } = filter;
  const ordered = orderOf(query, filter);
  /** Ordinal of the first store that may be on the page. */
  const after = query.conditions.find((each) => each.kind === 'page')?.first(release);
  const first =
    after === undefined
      ? query.skip
      : lowerBound(ordered.length, (place) => (ordered[place] as number) < after);
  const stores = ordered.subarray(first, first + query.limit);
  const hasMore = first + stores.length < ordered.length;
  const locationOf = filters.find(({ kept }) => kept.location)?.kept.location;
  const locations = locationOf ? stores.map(locationOf) : null;
  return { total: ordered.length, stores, hasMore, locations, distances: null };
}

/** Every match of such a query, in order; many are kept for the release while there is room. */
function orderOf(query: ListQuery, filter: StoreFilter): Uint32Array {
  const { release, filters } = filter;
  const name = orderName(query, filters);
  const known = release.orders.get(name);
  if (known) return known;
  const keys = query.sort.map(({ column, descending }): RankKey => {
    return { ranks: ranksOf(column, query, filter), descending };
  });
  const ordered = orderByRanks(filter.passing(query.conditions), keys);
  if (!filters.some(({ condition }) => condition.keeps === 'few'))
    release.orders.set(name, ordered);
  return ordered;
}

/** What an order depends on: conditions, sort keys and, where names are compared, the language. */
function orderName({ sort, language }: ListQuery, filters: readonly Filter[]): string {
  const keys = sort.map(({ column, descending }) => {
    const collation = column === 'name' ? language : null;
    return `${column}/${collation}/${descending}`;
  });
  return [...filters.map(({ condition }) => condition.text), ...keys].join(' ');
}

function searchPlace(query: ListQuery, place: PlaceCondition, filter: StoreFilter): Matches {
  // The next search of the table takes over what this one finds.
  const found = place.search(filter.release, testOf(filter.filters));
  const end = Math.min(found.count, query.skip + query.limit);
  const slots = isNearestFirst(query.sort) ? found.nearest(end) : found.all();
  const page = selectSmallest(slots, end, compareBy(query, filter, found)).subarray(query.skip);
  return {
    total: found.count,
    stores: page.map((slot) => found.store(slot)),
    hasMore: end < found.count,
    locations: page.map((slot) => found.location(slot)),
    distances: Float64Array.from(page, (slot) => found.distance(slot)),
  };
}

function isNearestFirst([first]: readonly SortKey[]): boolean {
  return first?.column === 'distance' && !first.descending;
}

/** How two slots of `found` compare: by the first key that tells their stores apart, at last by ordinal. */
function compareBy(query: ListQuery, filter: StoreFilter, found: FoundStores): Compare {
  const bySlot =
    (compare: Compare): Compare =>
    (a, b) =>
      compare(found.store(a), found.store(b));
  return query.sort.reduceRight<Compare>((next, { column, descending }) => {
    const compare =
      column === 'distance'
        ? byDistance(found, descending)
        : bySlot(compareByRanks(ranksOf(column, query, filter), descending));
    return (a, b) => compare(a, b) || next(a, b);
  }, bySlot(byOrdinal));
}

function byDistance(found: FoundStores, descending: boolean): Compare {
  const sign = descending ? -1 : 1;
  return (a, b) => sign * (found.distance(a) - found.distance(b));
}

const byOrdinal: Compare = (a, b) => a - b;

function compareByRanks(column: RankColumn | null, descending: boolean): Compare {
  if (column === null) return descending ? (a, b) => b - a : byOrdinal;
  const { ranks, highest } = column;
  const place = (store: number) => sortPlace(ranks[store] as number, highest, descending);
  return (a, b) => place(a) - place(b);
}

/** Null: ordinals, which follow ids. */
function ranksOf(
  column: SortKey['column'],
  { language }: ListQuery,
  { release, filters }: StoreFilter,
): RankColumn | null {
  const part = partOfColumn(column, language);
  if (part !== null) return release.table(part);
  if (column !== 'relevance') return null;
  return filters.find(({ kept }) => kept.relevance)?.kept.relevance?.() ?? null;
}

/** Null: none. Ordinals follow ids; distances and relevance belong to a request. */
function partOfColumn(
  column: SortKey['column'],
  language: Language | null,
): Part<RankColumn> | null {
  if (column === 'id' || column === 'distance' || column === 'relevance') return null;
  return rankPart(column, language);
}
