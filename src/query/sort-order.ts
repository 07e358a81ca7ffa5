/** The order of a list: its keys, and how stores are put in order by precomputed ranks. */
import type { SortColumn } from '../model/sort-fields.ts';
import type { RankColumn } from '../snapshot/rank-column.ts';
import type { Scratch } from './scratch.ts';

/** One key of the order that a list is asked for in. */
export interface SortKey {
  /** `relevance` is how well stores fit the condition that says it orders by that. */
  readonly column: SortColumn | 'relevance';
  readonly descending: boolean;
}

/** The same with its column. */
export interface OrderKey {
  /** Ranks or numbers, by store. Null: the ordinals themselves, which follow ids. */
  readonly by: RankColumn | Float64Array | null;
  readonly descending: boolean;
}

/**
 * Puts `stores` (ordinals, ascending) in order by several keys, ties by ordinal, which is by id: a stable
 * sort per key, the least weighty first.
 */
export function orderStores(
  stores: Uint32Array,
  keys: readonly OrderKey[],
  scratch: Scratch,
): Uint32Array {
  return keys.reduceRight((ordered, { by, descending }) => {
    // Ids come last among keys, and so first here: the stores are still in their order.
    if (by === null) return descending ? ordered.toReversed() : ordered;
    if (by instanceof Float64Array) return sortByNumber(ordered, by, descending);
    return sortByRank(ordered, by, descending, scratch);
  }, stores);
}

function sortByNumber(
  stores: Uint32Array,
  numbers: Float64Array,
  descending: boolean,
): Uint32Array {
  const sign = descending ? -1 : 1;
  return stores.toSorted((a, b) => sign * ((numbers[a] as number) - (numbers[b] as number)));
}

/** A counting sort takes time in proportion to the stores. */
function sortByRank(
  stores: Uint32Array,
  { ranks, highest }: RankColumn,
  descending: boolean,
  scratch: Scratch,
): Uint32Array {
  /** By group of equal rank, and one more: how many stores the group before has, then where its next store goes. */
  const positions = scratch.positions.zeros(highest + 2);
  for (let index = 0; index < stores.length; index++) {
    const group = groupOf(ranks[stores[index] as number] as number, highest, descending);
    positions[group + 1] = (positions[group + 1] as number) + 1;
  }
  for (let group = 1; group < positions.length; group++) {
    positions[group] = (positions[group] as number) + (positions[group - 1] as number);
  }
  const ordered = new Uint32Array(stores.length);
  for (let index = 0; index < stores.length; index++) {
    const store = stores[index] as number;
    const group = groupOf(ranks[store] as number, highest, descending);
    const position = positions[group] as number;
    ordered[position] = store;
    positions[group] = position + 1;
  }
  return ordered;
}

/** Returns where stores of a rank come among groups, from 0; missing values (rank 0) last in both directions. */
function groupOf(rank: number, highest: number, descending: boolean): number {
  if (rank === 0) return highest;
  return descending ? highest - rank : rank - 1;
}
