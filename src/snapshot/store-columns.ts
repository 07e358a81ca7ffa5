/**
 * Parts that are one column: a value of a fixed size for each store, in ordinal order. n stores:
 *
 *     part           content
 *     rank/…         u32 × n: the rank of the store among the distinct values of a field, from 1 in
 *                    ascending order; equal values share a rank, 0 means the value is missing
 *     verticales     u16 × n: the store's verticales as a mask
 *     id-cases       u32 × n: bit d is set when digit d of the id is an upper-case letter
 *     fingerprints   8·n bytes: the fingerprint in the store's record; no list needs it, it tells
 *                    what differs between two releases
 *
 * Each is a column file of one section.
 */

import { toHex } from '../hash.ts';
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { expectEqual } from './format-error.ts';

/** Bytes of a store's fingerprint. */
export const FINGERPRINT_BYTES = 8;

export interface RankColumn {
  readonly ranks: Uint32Array;
  /** The largest rank in the column. */
  readonly highest: number;
}

/** Writes a part that is one column. */
export function writeColumn(column: ArrayBufferView): Uint8Array<ArrayBuffer> {
  return writeColumnFile([column]);
}

/** Reads a rank column in place. @throws SnapshotFormatError */
export function readRankColumn(name: string, buffer: ArrayBuffer, storeCount: number): RankColumn {
  const ranks = new ColumnFile(name, buffer, 1).u32(0, storeCount);
  // In a fresh isolate `for … of` takes ten times as long.
  const highest = ranks.reduce((most, rank) => Math.max(rank, most), 0);
  // Ranks are dense; one beyond the number of stores can only be damage.
  expectEqual(`${name} highest rank`, Math.min(highest, storeCount), highest);
  return { ranks, highest };
}

/** Reads the verticale masks in place. @throws SnapshotFormatError */
export function readVerticales(buffer: ArrayBuffer, storeCount: number): Uint16Array {
  return new ColumnFile('verticales', buffer, 1).u16(0, storeCount);
}

/** Reads the cases of ids in place. @throws SnapshotFormatError */
export function readIdCases(buffer: ArrayBuffer, storeCount: number): Uint32Array {
  return new ColumnFile('id-cases', buffer, 1).u32(0, storeCount);
}

/** The fingerprints of all stores, read in place. */
export class FingerprintColumn {
  private readonly bytes: Uint8Array;

  /** @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    this.bytes = new ColumnFile('fingerprints', buffer, 1).u8(0);
    expectEqual('fingerprints length', this.bytes.length, storeCount * FINGERPRINT_BYTES);
  }

  /** The fingerprint of a store, 16 hexadecimal digits. */
  of(store: number): string {
    const start = store * FINGERPRINT_BYTES;
    return toHex(this.bytes.subarray(start, start + FINGERPRINT_BYTES));
  }
}
