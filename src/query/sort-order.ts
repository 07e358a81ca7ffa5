/** Orders stores by precomputed ranks. */
import type { RankColumn } from '../snapshot/store-columns.ts';

/** One key of an order. */
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
  return keys.reduceRight(
    (ordered, { ranks, descending }) =>
      ranks ? countingSort(ordered, ranks, descending) : byOrdinal(ordered, descending),
    stores,
  );
}

function byOrdinal(stores: Uint32Array, descending: boolean): Uint32Array {
  const ordered = stores.toSorted();
  return descending ? ordered.reverse() : ordered;
}

function countingSort(
  stores: Uint32Array,
  { ranks, highest }: RankColumn,
  descending: boolean,
): Uint32Array {
  const starts = new Uint32Array(highest + 2);
  for (const store of stores) {
    const place = sortPlace(ranks[store] as number, highest, descending);
    starts[place + 1] = (starts[place + 1] as number) + 1;
  }
  for (let place = 1; place < starts.length; place++) {
    starts[place] = (starts[place] as number) + (starts[place - 1] as number);
  }
  const ordered = new Uint32Array(stores.length);
  for (const store of stores) {
    const place = sortPlace(ranks[store] as number, highest, descending);
    const position = starts[place] as number;
    ordered[position] = store;
    starts[place] = position + 1;
  }
  return ordered;
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
