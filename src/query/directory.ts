/** Looks stores up, filters, orders and pages them, over the columns of a release. */

import type { Background } from '../load/background.ts';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ID_PATTERN } from '../model/store.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import {
  CHUNKS_PART,
  IDS_PART,
  PLACES_PART,
  rankPart,
  SLUGS_PART,
  VERTICALES_PART,
} from '../snapshot/manifest.ts';
import { RecordReader } from '../snapshot/record-reader.ts';
import type { RankColumn } from '../snapshot/store-columns.ts';
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
  /** Queried location of each store on the page; null without a position, when it is the main one. */
  readonly locations: ArrayLike<number> | null;
  /** Kilometres, not rounded; null without a position. */
  readonly distances: ArrayLike<number> | null;
}

/** The record of one store. */
export interface FoundStore {
  readonly chunk: Chunk;
  /** Number of the record in the chunk. */
  readonly index: number;
}

/** A record that may be used until `end` is called, which has to be. */
export interface BorrowedStore extends FoundStore {
  readonly end: () => void;
}

/** Moved to one record after another; nothing waits while it is in use. */
const record = new RecordReader();

/** The index parts that finding a store by its id or slug needs. */
export function partsForStore(idOrSlug: string): string[] {
  // No slug looks like an id: the compiler refuses it.
  return [ID_PATTERN.test(idOrSlug) ? IDS_PART : SLUGS_PART, CHUNKS_PART];
}

/**
 * The store with this id (in any case) or exactly this slug, or null.
 * @throws ProblemError storage_unreachable, SnapshotFormatError
 */
export async function findStore(
  release: LoadedRelease,
  idOrSlug: string,
  background: Background,
): Promise<BorrowedStore | null> {
  const loading = release.load(partsForStore(idOrSlug), background);
  if (loading) await loading;
  if (!ID_PATTERN.test(idOrSlug)) return findBySlug(release, idOrSlug, background);
  const store = release.ids.find(idOrSlug);
  return store === null ? null : readStore(release, store, background);
}

/** The table of slugs knows hashes; the record says whether its slug is the one. */
async function findBySlug(
  release: LoadedRelease,
  slug: string,
  background: Background,
): Promise<BorrowedStore | null> {
  for (const candidate of release.slugs.candidates(slug)) {
    const found = await readStore(release, candidate, background);
    record.moveTo(found.chunk, found.index);
    if (record.hasSlug(slug)) return found;
    found.end();
  }
  return null;
}

async function readStore(
  release: LoadedRelease,
  store: number,
  background: Background,
): Promise<BorrowedStore> {
  const records = release.records([store], background);
  const { chunks, indexes, end } = records instanceof Promise ? await records : records;
  return { chunk: chunks[0] as Chunk, index: indexes[0] as number, end };
}

/** The number of the store's rental point with this slug (1…), or null. */
export function findRentalPoint({ chunk, index }: FoundStore, slug: string): number | null {
  record.moveTo(chunk, index);
  return record.findRentalPoint(slug);
}

/** The fingerprint of the store's content, 16 hexadecimal digits. */
export function fingerprintOf({ chunk, index }: FoundStore): string {
  record.moveTo(chunk, index);
  return record.fingerprint();
}

/**
 * The index parts that the answer to a list query needs. One that asks for the total alone needs no
 * chunks, and reads their list all the same: the query that comes next does.
 */
export function partsForList({ position, verticales, sort, language }: ListQuery): string[] {
  const parts: string[] = [CHUNKS_PART];
  if (position) parts.push(PLACES_PART);
  if (filters(verticales)) parts.push(VERTICALES_PART);
  for (const { column } of sort) {
    if (column !== 'id' && column !== 'distance') parts.push(rankPart(column, language));
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
  const { skip, limit, sort, verticales } = query;
  if (sort.length === 0 && !filters(verticales)) return pageById(release, skip, limit);
  const ordered = orderedStores(release, query);
  const stores = ordered.subarray(skip, skip + limit);
  return { total: ordered.length, stores, locations: null, distances: null };
}

/** Ordinals follow ids, so a page of all stores needs no order. */
function pageById({ storeCount }: LoadedRelease, skip: number, limit: number): Matches {
  const count = Math.max(0, Math.min(limit, storeCount - skip));
  const stores = new Uint32Array(count);
  for (let place = 0; place < count; place++) stores[place] = skip + place;
  return { total: storeCount, stores, locations: null, distances: null };
}

/** Every match of a query without a position, in order; computed once per release. */
function orderedStores(release: LoadedRelease, query: ListQuery): Uint32Array {
  const { sort, verticales, language } = query;
  const name = orderName(query);
  const known = release.orders.get(name);
  if (known) return known;
  const matching = filters(verticales)
    ? filterStores(verticales, release.verticales)
    : new Uint32Array(release.storeCount).map((_, store) => store);
  const keys = sort.map(({ column, descending }): RankKey => {
    const isRanked = column !== 'id' && column !== 'distance';
    return { ranks: isRanked ? release.ranks(rankPart(column, language)) : null, descending };
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
  const accepts = filters(query.verticales) ? verticaleTest(release, query) : null;
  // The next search of the table takes over what this one finds: nothing waits from here on.
  const found = findWithin(release.places, position, accepts);
  const end = Math.min(found.count, query.skip + query.limit);
  const slots = isNearestFirst(query.sort) ? found.nearest(end) : found.all();
  const compare = compareFound(found, release, query);
  const page = selectSmallest(slots, end, compare).subarray(query.skip);
  return {
    total: found.count,
    stores: page.map((slot) => found.store(slot)),
    locations: page.map((slot) => found.location(slot)),
    distances: Float64Array.from(page, (slot) => found.distance(slot)),
  };
}

/** Tells of a store, by its ordinal, whether it passes the verticale conditions. */
function verticaleTest({ verticales }: LoadedRelease, query: ListQuery) {
  return (store: number) => passes(query.verticales, verticales[store] as number);
}

function isNearestFirst([first]: readonly SortKey[]): boolean {
  return first?.column === 'distance' && !first.descending;
}

/** How two of the stores found compare, by their slots. */
function compareFound(
  found: FoundStores,
  release: LoadedRelease,
  { sort, language }: ListQuery,
): Compare {
  const byOrdinal: Compare = (a, b) => found.store(a) - found.store(b);
  const comparisons = sort.map(({ column, descending }): Compare => {
    if (column === 'id') return descending ? (a, b) => byOrdinal(b, a) : byOrdinal;
    if (column !== 'distance') {
      return compareRanks(found, release.ranks(rankPart(column, language)), descending);
    }
    const sign = descending ? -1 : 1;
    return (a, b) => sign * (found.distance(a) - found.distance(b));
  });
  return comparisons.reduceRight<Compare>(
    (next, compare) => (a, b) => compare(a, b) || next(a, b),
    byOrdinal,
  );
}

function compareRanks(
  found: FoundStores,
  { ranks, highest }: RankColumn,
  descending: boolean,
): Compare {
  const place = (slot: number) =>
    sortPlace(ranks[found.store(slot)] as number, highest, descending);
  return (a, b) => place(a) - place(b);
}
