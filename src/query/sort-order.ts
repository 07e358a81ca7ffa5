/** Orders stores by keys, most of which are precomputed ranks. */
import type { RankColumn } from '../snapshot/rank-column.ts';
import type { Scratch } from './scratch.ts';

/** A key with the values that it compares. */
export interface OrderKey {
  /** Ranks or numbers, by store. Null: the ordinals themselves, which follow ids. */
  readonly by: RankColumn | Float64Array | null;
  readonly descending: boolean;
}

/**
 * Orders `stores` (ordinals, ascending) by several keys; equal ones stay in the order of ids. Sorts
 * once a key, the least important first: each sort is stable.
 */
export function orderStores(
  stores: Uint32Array,
  keys: readonly OrderKey[],
  scratch: Scratch,
): Uint32Array {
  return keys.reduceRight((ordered, { by, descending }) => {
    // Ids come last among keys, and so first here: the stores are still in their order.
    if (by === null) return descending ? ordered.toReversed() : ordered;
    if (!(by instanceof Float64Array)) return sortByRank(ordered, by, descending, scratch);
    const sign = descending ? -1 : 1;
    return ordered.toSorted((a, b) => sign * ((by[a] as number) - (by[b] as number)));
  }, stores);
}

/** Sorts by ranks, in time proportional to the number of stores (a counting sort). */
function sortByRank(
  stores: Uint32Array,
  { ranks, highest }: RankColumn,
  descending: boolean,
  scratch: Scratch,
): Uint32Array {
  /**
   * By group of equal rank: first how many stores the group before has, then the position of its
   * next store.
   */
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

/**
 * Returns the position of a rank among groups, from 0. Missing values (rank 0) come last in both
 * directions.
 */
function groupOf(rank: number, highest: number, descending: boolean): number {
  if (rank === 0) return highest;
  return descending ? highest - rank : rank - 1;
}
