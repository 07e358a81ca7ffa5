/**
 * Parts that are one column of numbers, each a column file of one section. Of n stores, in the order of
 * their ids:
 *
 *     part           content
 *     rank/…         u32 × n: the rank of the store among the distinct values of a field, from 1 in
 *                    ascending order; equal values share a rank, 0 means the value is missing
 *     verticales     u16 × n, or u32 × n with more than sixteen verticales: the store's as a mask
 */

import { VERTICALES } from '../model/enumerations.ts';
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { expectEqual } from './format-error.ts';

export interface RankColumn {
  readonly ranks: Uint32Array;
  /** The largest rank in the column. */
  readonly highest: number;
}

/** Masks, one for each store. */
export type MaskColumn = Uint16Array | Uint32Array;

const isNarrow = VERTICALES.length <= 8 * Uint16Array.BYTES_PER_ELEMENT;

/** Reads a rank column in place. @throws SnapshotFormatError */
export function readRankColumn(name: string, buffer: ArrayBuffer, storeCount: number): RankColumn {
  const ranks = new ColumnFile(name, buffer, 1).u32(0, storeCount);
  // In a fresh isolate `for … of` takes ten times as long.
  const highest = ranks.reduce((most, rank) => Math.max(rank, most), 0);
  // Ranks are dense; one beyond the number of stores can only be damage.
  expectEqual(`${name} highest rank`, Math.min(highest, storeCount), highest);
  return { ranks, highest };
}

/** Writes the `verticales` part. @param masks see `verticaleMask` */
export function writeVerticales(masks: readonly number[]): Uint8Array<ArrayBuffer> {
  return writeColumnFile([isNarrow ? Uint16Array.from(masks) : Uint32Array.from(masks)]);
}

/** Reads the verticale masks in place. @throws SnapshotFormatError */
export function readVerticales(buffer: ArrayBuffer, storeCount: number): MaskColumn {
  const file = new ColumnFile('verticales', buffer, 1);
  return isNarrow ? file.u16(0, storeCount) : file.u32(0, storeCount);
}
