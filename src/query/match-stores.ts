/**
 * Finds the stores that a list query matches, over the columns of a release: filters them, orders
 * them, and cuts out the page.
 */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Language } from '../model/enumerations.ts';
import { CHUNKS_PART } from '../snapshot/chunk-table.ts';
import { lowerBound } from '../snapshot/lower-bound.ts';
import type { Part } from '../snapshot/part.ts';
import { type RankColumn, rankPart } from '../snapshot/rank-column.ts';
import {
  type ByName,
  type Condition,
  KEEPS,
  type KeptStores,
  type NearStores,
  type StoreCondition,
  type StoreTest,
} from './conditions/condition.ts';
import type { ListQuery } from './queries.ts';
import type { Scratch } from './scratch.ts';
import { type OrderKey, orderStores, type SortKey } from './sort-order.ts';

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

/** A page, with what conditions add to the answer. */
export interface ListMatches extends Matches {
  /** Headers of the answer that say what conditions found. */
  readonly headers: ByName;
  /** Members of the body by name, as JSON. */
  readonly counts: ByName;
}

/**
 * Returns the index parts that a list query needs. `limit=0` needs no chunks, but reads their list
 * all the same: the next query will need it.
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

/** Finds the page of a list query, and how many stores match. Load its parts before. */
export function findStores(
  release: LoadedRelease,
  query: ListQuery,
  scratch: Scratch,
): ListMatches {
  const { conditions, skip, limit } = query;
  const filter = new StoreFilter(release, conditions, scratch);
  const shown = conditions
    .filter((each) => each.kind === 'stores')
    .filter(({ isShown }) => isShown)
    .map((each) => filter.kept(each));
  const ordered = orderOf(release, query, filter, shown, scratch);
  /** Ordinal of the first store that may be on the page. */
  const after = conditions.find((each) => each.kind === 'page')?.first(release);
  const first =
    after === undefined
      ? skip
      : lowerBound(ordered.length, (index) => (ordered[index] as number) < after);
  const stores = ordered.subarray(first, first + limit);
  const { near } = filter;
  const locations = near?.locations ?? shown.find((each) => each.locations)?.locations;
  const counts = conditions.filter((each) => each.kind === 'count');
  return {
    total: ordered.length,
    stores,
    hasMore: first + stores.length < ordered.length,
    locations: locations ? stores.map((store) => (locations[store] as number) - 1) : null,
    distances: near && Float64Array.from(stores, (store) => near.kilometres[store] as number),
    headers: Object.assign({}, ...shown.map(({ headers }) => headers)),
    counts: Object.fromEntries(
      counts.map((each) => [
        each.name,
        each.count(release, conditions, (some) => filter.passing(some)),
      ]),
    ),
  };
}

/**
 * Returns every match in order. Orders of many stores are kept for the release while there is room.
 */
function orderOf(
  release: LoadedRelease,
  query: ListQuery,
  filter: StoreFilter,
  shown: readonly KeptStores[],
  scratch: Scratch,
): Uint32Array {
  const { conditions, sort, language } = query;
  const filters = conditions.filter((each) => each.kind === 'stores' || each.kind === 'near');
  const name = orderName(query, filters);
  const known = release.orders.get(name);
  if (known) return known;
  const stores = filter.passing(conditions);
  const keys = sort.map(({ column, descending }): OrderKey => {
    if (column === 'distance') return { by: filter.near?.millimetres ?? null, descending };
    if (column === 'relevance') {
      return { by: shown.find(({ relevance }) => relevance)?.relevance ?? null, descending };
    }
    const part = partOfColumn(column, language);
    return { by: part && release.table(part), descending };
  });
  const ordered = orderStores(stores, keys, scratch);
  if (!filters.some((each) => each.kind === 'near' || each.keeps === 'few')) {
    release.orders.set(name, ordered);
  }
  return ordered;
}

/**
 * Returns the key of a kept order: conditions, sort keys and, where names are compared, the
 * language.
 */
function orderName({ sort, language }: ListQuery, filters: readonly Condition[]): string {
  const keys = sort.map(({ column, descending }) => {
    const collation = column === 'name' ? language : null;
    return `${column}/${collation}/${descending}`;
  });
  return [...filters.map(({ text }) => text), ...keys].join(' ');
}

/**
 * Returns the part of a sort column; null for `id`, which ordinals follow, and for distances and
 * relevance, which belong to a request.
 */
function partOfColumn(
  column: SortKey['column'],
  language: Language | null,
): Part<RankColumn> | null {
  if (column === 'id' || column === 'distance' || column === 'relevance') return null;
  return rankPart(column, language);
}

/** Runs the conditions of one request, each of them once. */
class StoreFilter {
  /** What the search around a point found, once `passing` was called. */
  near: NearStores | null = null;
  private readonly release: LoadedRelease;
  private readonly scratch: Scratch;
  /** Conditions that no facet of the request leaves aside. */
  private readonly always: readonly Condition[];
  /** Ordinals of the stores that pass these. */
  private passingAlways: Uint32Array | undefined;
  private readonly opened = new Map<StoreCondition, KeptStores>();

  /** @param conditions of the request */
  constructor(release: LoadedRelease, conditions: readonly Condition[], scratch: Scratch) {
    this.release = release;
    this.scratch = scratch;
    const isCounting = conditions.some(({ kind }) => kind === 'count');
    this.always = conditions.filter(
      (each) => !isCounting || each.kind !== 'stores' || !each.counted,
    );
  }

  /** Returns what a condition keeps. */
  kept(condition: StoreCondition): KeptStores {
    const known = this.opened.get(condition);
    if (known) return known;
    const kept = condition.open(this.release, this.scratch);
    this.opened.set(condition, kept);
    return kept;
  }

  /**
   * Returns the ordinals of the stores that pass all of `conditions`, ascending. Conditions that a
   * facet leaves aside are tried last, on the stores that pass the others.
   * @param conditions of the request, with or without those that a facet leaves aside
   */
  passing(conditions: readonly Condition[]): Uint32Array {
    this.passingAlways ??= this.search();
    const others = conditions.filter((each) => !this.always.includes(each));
    return this.narrowed(this.passingAlways, this.keptBy(others));
  }

  /** Returns the stores that pass the conditions which no facet leaves aside. */
  private search(): Uint32Array {
    const { release, scratch, always } = this;
    const kept = this.keptBy(always);
    const near = always.find((each) => each.kind === 'near');
    if (near) {
      const accepts: StoreTest = (store) => kept.every(({ test }) => test(store));
      this.near = near.search(release, kept.length > 0 ? accepts : null, scratch);
      return this.near.stores;
    }
    const [first, ...others] = kept;
    if (first?.stores) return this.narrowed(first.stores, others);
    const all = new Uint32Array(release.storeCount);
    for (let store = 0; store < all.length; store++) all[store] = store;
    return this.narrowed(all, kept);
  }

  /** Opens the conditions that filter, first the ones that leave few stores to the others. */
  private keptBy(conditions: readonly Condition[]): KeptStores[] {
    return conditions
      .filter((each) => each.kind === 'stores')
      .toSorted((a, b) => KEEPS.indexOf(a.keeps) - KEEPS.indexOf(b.keeps))
      .map((condition) => this.kept(condition));
  }

  /** Filters `stores` by all of `kept`, in the same order. */
  private narrowed(stores: Uint32Array, kept: readonly KeptStores[]): Uint32Array {
    return kept.reduce((left, { test }) => passingAmong(left, test, this.scratch), stores);
  }
}

/** Filters `stores` by a test, in the same order. */
function passingAmong(stores: Uint32Array, passes: StoreTest, scratch: Scratch): Uint32Array {
  const passing = scratch.passing.room(stores.length);
  let count = 0;
  for (let index = 0; index < stores.length; index++) {
    const store = stores[index] as number;
    if (passes(store)) passing[count++] = store;
  }
  return passing.slice(0, count);
}
