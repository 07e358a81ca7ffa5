/**
 * Finds the stores that a list query matches, over the columns of a release: filters them, orders
 * them, and cuts out the page.
 */
import type { LoadedRelease } from '../load/loaded-release.ts';
import type { Facet, Language } from '../model/enumerations.ts';
import { isRanked } from '../model/sort-fields.ts';
import type { RequestedValues } from '../model/store.ts';
import { CHUNKS_PART } from '../snapshot/chunks.ts';
import { lowerBound, type Part } from '../snapshot/column-file.ts';
import { HOURS_PART } from '../snapshot/hours-table.ts';
import { rankPart } from '../snapshot/rank-column.ts';
import { openingsAt } from './conditions/open-at.ts';
import {
  type Condition,
  KEEPS,
  type KeptStores,
  type ListQuery,
  type Shown,
  type SortKey,
  type StoreCondition,
} from './queries.ts';
import type { Scratch } from './scratch.ts';
import { type OrderKey, orderStores } from './sort-order.ts';

/** The page of a list: what to show, and how many stores match in all. */
export type FoundStores = ReturnType<typeof findStores>;

/**
 * Returns the index parts that a list query needs. `limit=0` needs no chunks, but reads their list
 * all the same: the next query will need it.
 */
export function partsForList({ conditions, sort, language, at }: ListQuery): Part[] {
  const parts: Part[] = [CHUNKS_PART];
  if (at !== null) parts.push(HOURS_PART);
  for (const condition of conditions) parts.push(...condition.parts);
  for (const { column } of sort) if (isRanked(column)) parts.push(rankPart(column, language));
  return parts;
}

/** Finds the page of a list query, and how many stores match. Load its parts before. */
export function findStores(release: LoadedRelease, query: ListQuery, scratch: Scratch) {
  const { conditions, skip, limit, at } = query;
  const filters = filtersOf(release, conditions, scratch);
  const shown = filters.shown();
  const { locations, kilometres, prices, headers = {} } = shown;
  const ordered = orderOf(release, query, filters, shown, scratch);
  /** Ordinal of the first store that may be on the page, where the order is by id. */
  const firstStore = conditions.find((each) => each.kind === 'page')?.first(release);
  const start =
    firstStore === undefined
      ? skip
      : lowerBound(ordered.length, (index) => (ordered[index] as number) < firstStore);
  const stores = ordered.subarray(start, start + limit);
  const openingOf = at === null ? null : openingsAt(release, at);
  const added = Array.from(
    stores,
    (store): RequestedValues => ({
      // In whole metres.
      ...(kilometres && { distance: Math.round((kilometres[store] as number) * 1000) / 1000 }),
      ...(prices && { deliveryPrice: prices[store] as number }),
      ...(openingOf && { opening: openingOf(store) }),
    }),
  );
  const counts: Record<string, string> = {};
  for (const each of conditions) {
    if (each.kind !== 'count') continue;
    counts[each.name] = each.count(release, (facet) => filters.passing(facet));
  }
  return {
    total: ordered.length,
    /** Ordinals of the stores on the page. */
    stores,
    /** Whether stores that match come after the page. */
    hasMore: start + stores.length < ordered.length,
    /** Queried location of each store on the page; null: the main one of each. */
    locations: locations ? stores.map((store) => (locations[store] as number) - 1) : null,
    /** Fields that the request adds to each store on the page. */
    added,
    /** Headers of the answer that say what conditions found. */
    headers,
    /** Members of the body by name, as JSON. */
    counts,
  };
}

/**
 * Returns every match in order: the stores that pass all filters, or the order of the same query before. It is kept for
 * the release while there is room, unless the filter that is tried first keeps few stores.
 */
function orderOf(
  release: LoadedRelease,
  { sort, language }: ListQuery,
  filters: ReturnType<typeof filtersOf>,
  shown: Shown,
  scratch: Scratch,
): Uint32Array {
  const name = orderName(sort, language, filters.all);
  const known = release.orders.get(name);
  if (known) return known;
  const { millimetres: distance, prices: deliveryPrice, relevance } = shown;
  const own = { id: undefined, distance, deliveryPrice, relevance };
  const keys = sort.map(({ column, descending }): OrderKey => {
    const by = isRanked(column) ? release.table(rankPart(column, language)) : own[column];
    return { by: by ?? null, descending };
  });
  const ordered = orderStores(filters.passing(), keys, scratch);
  if (filters.all[0]?.keeps !== 'few') release.orders.set(name, ordered);
  return ordered;
}

/**
 * Returns the key of a kept order: conditions, sort keys and, where names are compared, the
 * language.
 */
function orderName(
  sort: readonly SortKey[],
  language: Language | null,
  filters: readonly Condition[],
): string {
  let name = '';
  for (const { text } of filters) name += `${text} `;
  for (const { column, descending } of sort) {
    name += ` ${column}/${column === 'name' ? language : null}/${descending}`;
  }
  return name;
}

/**
 * Prepares the conditions of one request that filter stores. Each is opened once.
 * @param conditions of the request
 */
function filtersOf(release: LoadedRelease, conditions: readonly Condition[], scratch: Scratch) {
  /** First the ones that leave few stores to the others. */
  const all = conditions
    .filter((each) => each.kind === 'stores')
    .sort((a, b) => KEEPS.indexOf(a.keeps) - KEEPS.indexOf(b.keeps));
  const isCounting = conditions.some(({ kind }) => kind === 'count');
  /** Filters that no facet of the request ignores. */
  const always = isCounting ? all.filter(({ facet }) => !facet) : all;
  /** Ordinals of the stores that pass these. */
  let passingAlways: Uint32Array | undefined;
  const kept = new Map<StoreCondition, KeptStores>();

  function open(filter: StoreCondition): KeptStores {
    const known = kept.get(filter) ?? filter.open(release, scratch);
    kept.set(filter, known);
    return known;
  }

  /** Opens the filters of which answers show something, and returns that. */
  function shown(): Shown {
    let together: Shown = {};
    for (const each of all) if (each.isShown) together = { ...together, ...open(each) };
    return together;
  }

  /**
   * Returns the ordinals of the stores that pass all filters, ascending. Filters that a facet of the
   * request ignores are tried last, on the stores that pass the others.
   * @param ignoring leaves the filters aside that this facet ignores
   */
  function passing(ignoring?: Facet): Uint32Array {
    passingAlways ??= narrow(candidates(), always);
    if (always === all) return passingAlways;
    const others = all.filter(({ facet }) => facet && facet !== ignoring);
    return narrow(passingAlways, others);
  }

  /** Returns the stores that the first filter finds without trying every one, else all stores. */
  function candidates(): Uint32Array {
    const [first] = always;
    const found = first && open(first).stores;
    if (found) return found;
    const every = new Uint32Array(release.storeCount);
    for (let store = 0; store < every.length; store++) every[store] = store;
    return every;
  }

  /** Filters `stores`, in the same order. */
  function narrow(stores: Uint32Array, filters: readonly StoreCondition[]): Uint32Array {
    let left = stores;
    for (const filter of filters) {
      const { test } = open(filter);
      const passing = scratch.passing.room(left.length);
      let count = 0;
      for (let index = 0; index < left.length; index++) {
        const store = left[index] as number;
        passing[count] = store;
        // No branch: processors guess every second branch of a yes-or-no filter wrong.
        count += Number(test(store));
      }
      left = passing.slice(0, count);
    }
    return left;
  }

  return { all, shown, passing };
}
