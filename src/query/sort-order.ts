/** Orders stores by precomputed ranks. */
import type { RankColumn } from '../snapshot/rank-column.ts';

/** One key of an order over rank columns. */
export interface RankKey {
  readonly column: RankColumn;
  readonly descending: boolean;
}

/**
 * `stores` (ordinals, ascending) by several keys, ties by ordinal, which is by id. A stable
 * counting sort per key, the least weighty first, takes time in proportion to the stores.
 */
export function orderByRanks(stores: Uint32Array, keys: readonly RankKey[]): Uint32Array {
  return keys.reduceRight(countingSort, stores);
}

function countingSort(stores: Uint32Array, { column, descending }: RankKey): Uint32Array {
  const { ranks, highest } = column;
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
