/**
 * The `stores` part: who the stores are and where their records lie.
 *
 * Stores are numbered (their *ordinal*) in ascending order of id as text, by UTF-16 code unit, so
 * the default order of a list needs no column. n stores, c chunks:
 *
 *     section  content
 *     0        ids             12·n bytes, binary, in ordinal order
 *     1        id order        u32 × n, ordinals in ascending order of binary id: where ids are
 *                              written in one case throughout, these are 0, 1, 2 …
 *     2        verticales      u16 × n, masks
 *     3        record chunk    u32 × n
 *     4        record offset   u32 × n, bytes into the chunk, multiple of 4
 *     5        record length   u32 × n, bytes
 *     6        chunk hashes    32·c bytes, SHA-256
 *     7        chunk lengths   u32 × c, bytes
 */
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { concatenate } from './concatenate.ts';
import { SnapshotFormatError } from './format-error.ts';
import { fromHex, toHex } from './hash.ts';
import { findInOrder, orderBy } from './ordinal-order.ts';
import type { RankColumn } from './rank-column.ts';

export const ID_BYTES = 12;
const HASH_BYTES = 32;
const SECTION_COUNT = 8;

/** Where a record lies: chunk number, byte offset within the chunk, length in bytes. */
export interface RecordAddress {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

export interface StoreRow {
  /** 24 hexadecimal digits, in any case. */
  readonly id: string;
  readonly verticales: number;
  readonly record: RecordAddress;
}

export interface ChunkRef {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
}

/** Writes the part. `rows` are in ordinal order, `chunks` in chunk order. */
export function writeStoreTable(
  rows: readonly StoreRow[],
  chunks: readonly ChunkRef[],
): Uint8Array<ArrayBuffer> {
  return writeColumnFile([
    concatenate(rows.map(({ id }) => fromHex(id))),
    orderBy(rows.map(({ id }) => id.toLowerCase())),
    Uint16Array.from(rows, (row) => row.verticales),
    Uint32Array.from(rows, (row) => row.record.chunk),
    Uint32Array.from(rows, (row) => row.record.offset),
    Uint32Array.from(rows, (row) => row.record.length),
    concatenate(chunks.map(({ hash }) => fromHex(hash))),
    Uint32Array.from(chunks, (chunk) => chunk.bytes),
  ]);
}

/** Reads the part in place. */
export class StoreTable {
  readonly storeCount: number;
  readonly chunkCount: number;
  /** Ordinals in ascending order of id, in lower case. */
  readonly idOrder: Uint32Array;
  readonly verticales: Uint16Array;
  readonly recordChunk: Uint32Array;
  readonly recordOffset: Uint32Array;
  readonly recordLength: Uint32Array;
  readonly chunkLength: Uint32Array;
  private readonly ids: Uint8Array;
  private readonly chunkHashes: Uint8Array;

  /** Checks the layout and the bounds of every offset. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer) {
    const file = new ColumnFile('stores', buffer, SECTION_COUNT);
    const n = Math.floor(file.bytes(0) / ID_BYTES);
    const c = Math.floor(file.bytes(6) / HASH_BYTES);
    this.storeCount = n;
    this.chunkCount = c;
    this.ids = file.u8(0);
    this.idOrder = file.u32(1, n);
    this.verticales = file.u16(2, n);
    this.recordChunk = file.u32(3, n);
    this.recordOffset = file.u32(4, n);
    this.recordLength = file.u32(5, n);
    this.chunkHashes = file.u8(6);
    this.chunkLength = file.u32(7, c);
    this.checkBounds();
  }

  /** The ordinal of the store with this id, in any case, or null. */
  findId(id: string): number | null {
    const wanted = fromHex(id);
    return findInOrder(this.idOrder, (ordinal) => this.compareId(ordinal, wanted));
  }

  /** The stores ranked by id: the ordinals themselves, from 1. */
  idRanks(): RankColumn {
    const ranks = Uint32Array.from({ length: this.storeCount }, (_, ordinal) => ordinal + 1);
    return { ranks, highest: this.storeCount };
  }

  /** The id of a store in lower case, 24 hexadecimal digits. */
  id(ordinal: number): string {
    return toHex(this.ids.subarray(ordinal * ID_BYTES, (ordinal + 1) * ID_BYTES));
  }

  /** The SHA-256 of a chunk, in hexadecimal. */
  chunkHash(chunk: number): string {
    return toHex(this.chunkHashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES));
  }

  private compareId(ordinal: number, wanted: Uint8Array): number {
    const start = ordinal * ID_BYTES;
    for (let index = 0; index < ID_BYTES; index++) {
      const difference = (this.ids[start + index] as number) - (wanted[index] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private checkBounds(): void {
    for (let ordinal = 0; ordinal < this.storeCount; ordinal++) {
      const chunk = this.recordChunk[ordinal] as number;
      const end = (this.recordOffset[ordinal] as number) + (this.recordLength[ordinal] as number);
      if (chunk >= this.chunkCount || end > (this.chunkLength[chunk] as number)) {
        throw new SnapshotFormatError(`stores: record ${ordinal} lies outside of its chunk`);
      }
      if ((this.idOrder[ordinal] as number) >= this.storeCount) {
        throw new SnapshotFormatError(`stores: place ${ordinal} of the order names no store`);
      }
    }
  }
}
