/** The order of a list: its keys, and how stores are put in order by precomputed ranks. */

import type { SortColumn } from '../model/sort-fields.ts';
import type { RankColumn } from '../snapshot/rank-column.ts';
import { StoreColumn } from './store-column.ts';

/** Numbers that are worked on in one go. */
const BLOCK = 256;

/** One key of the order that a list is asked for in. */
export interface SortKey {
  /** `relevance` is how well stores fit the condition that says it orders by that. */
  readonly column: SortColumn | 'relevance';
  readonly descending: boolean;
}

/** The same with the ranks of its column. */
export interface RankKey {
  /** Null: the ordinals themselves, which follow ids. */
  readonly ranks: RankColumn | null;
  readonly descending: boolean;
}

/**
 * `stores` (ordinals, ascending) by several keys, ties by ordinal, which is by id. A stable
 * counting sort per key, the least weighty first, takes time in proportion to the stores.
 */
export function orderByRanks(stores: Uint32Array, keys: readonly RankKey[]): Uint32Array {
  return keys.reduceRight((ordered, { ranks, descending }) => {
    if (ranks) return countingSort(ordered, ranks, descending);
    // Ids come last among keys, and so first here: the stores are still in their order.
    return descending ? ordered.toReversed() : ordered;
  }, stores);
}

/** One entry for each rank. */
const STARTS = new StoreColumn(Uint32Array);
const PLACES = new StoreColumn(Uint32Array);

function countingSort(
  stores: Uint32Array,
  { ranks, highest }: RankColumn,
  descending: boolean,
): Uint32Array {
  /** How many stores have each place; later where the next of them goes. */
  const starts = STARTS.zeros(highest + 2);
  const ordered = new Uint32Array(stores.length);
  const places = PLACES.room(stores.length);
  inBlocks(stores.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const place = sortPlace(ranks[stores[index] as number] as number, highest, descending);
      places[index] = place;
      starts[place + 1] = (starts[place + 1] as number) + 1;
    }
  });
  inBlocks(starts.length - 1, (from, to) => {
    for (let place = from; place < to; place++) {
      starts[place + 1] = (starts[place + 1] as number) + (starts[place] as number);
    }
  });
  inBlocks(stores.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const place = places[index] as number;
      const position = starts[place] as number;
      ordered[position] = stores[index] as number;
      starts[place] = position + 1;
    }
  });
  return ordered;
}

/**
 * Runs `work` on the numbers up to `count`, block by block. A fresh isolate runs code that was not
 * optimized yet, and a function that is called again is optimized much sooner than a long loop.
 */
function inBlocks(count: number, work: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += BLOCK) work(from, Math.min(from + BLOCK, count));
}

/** Where a rank comes in the order, from 0; missing values (rank 0) last in both directions. */
export function sortPlace(rank: number, highest: number, descending: boolean): number {
  if (rank === 0) return highest;
  return descending ? highest - rank : rank - 1;
}

export type Compare = (a: number, b: number) => number;

/**
 * The `count` smallest of `items` under `compare`, in order; moves the items about. Quickselect
 * (C. A. R. Hoare, "Algorithm 65: Find", 1961) sets them apart, then only they are sorted.
 */
export function selectSmallest(items: Uint32Array, count: number, compare: Compare): Uint32Array {
  if (count < items.length) partition(items, count, compare);
  return items.subarray(0, count).sort(compare);
}

/** Moves the `count` smallest items to the front, in no order. */
function partition(items: Uint32Array, count: number, compare: Compare): void {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const pivot = items[(low + high) >> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while (compare(items[left] as number, pivot) < 0) left++;
      while (compare(items[right] as number, pivot) > 0) right--;
      if (left <= right) {
        const held = items[left] as number;
        items[left++] = items[right] as number;
        items[right--] = held;
      }
    }
    if (count <= right) high = right;
    else if (count >= left) low = left;
    else return;
  }
}
