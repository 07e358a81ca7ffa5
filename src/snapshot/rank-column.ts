/**
 * The `rank/…` parts: one precomputed sort column each.
 *
 * A column file of one section, u32 × n: the rank of each store among the distinct values of the
 * field, from 1 in ascending order; equal values share a rank, 0 means the value is missing.
 */
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { expectEqual } from './format-error.ts';

export interface RankColumn {
  readonly ranks: Uint32Array;
  /** The largest rank in the column. */
  readonly highest: number;
}

export function writeRankColumn(ranks: Uint32Array): Uint8Array<ArrayBuffer> {
  return writeColumnFile([ranks]);
}

/** Reads a rank column in place. @throws SnapshotFormatError */
export function readRankColumn(name: string, buffer: ArrayBuffer, storeCount: number): RankColumn {
  const ranks = new ColumnFile(name, buffer, 1).u32(0, storeCount);
  let highest = 0;
  for (const rank of ranks) if (rank > highest) highest = rank;
  // Ranks are dense; one beyond the number of stores can only be damage.
  expectEqual(`${name} highest rank`, Math.min(highest, storeCount), highest);
  return { ranks, highest };
}
