/**
 * The `stores` part: what stores are filtered by, and where their records lie.
 *
 * Stores are numbered (their *ordinal*) in ascending order of id as text, by UTF-16 code unit, so
 * the default order of a list needs no column. n stores, c chunks:
 *
 *     section  content
 *     0        verticales      u16 × n, masks
 *     1        record chunk    u32 × n
 *     2        record offset   u32 × n, bytes into the chunk, multiple of 4
 *     3        record length   u32 × n, bytes
 *     4        chunk hashes    32·c bytes, SHA-256
 *     5        chunk lengths   u32 × c, bytes
 */
import { fromHex, toHex } from '../hash.ts';
import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';
import type { RankColumn } from './rank-column.ts';

const HASH_BYTES = 32;
const SECTION_COUNT = 6;
const MASK_BYTES = Uint16Array.BYTES_PER_ELEMENT;

/** Where a record lies: chunk number, byte offset within the chunk, length in bytes. */
export interface RecordAddress {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

export interface StoreRow {
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
  readonly verticales: Uint16Array;
  readonly recordChunk: Uint32Array;
  readonly recordOffset: Uint32Array;
  readonly recordLength: Uint32Array;
  readonly chunkLength: Uint32Array;
  private readonly chunkHashes: Uint8Array;

  /** Checks the layout and the bounds of every offset. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer) {
    const file = new ColumnFile('stores', buffer, SECTION_COUNT);
    const n = Math.floor(file.bytes(0) / MASK_BYTES);
    const c = Math.floor(file.bytes(4) / HASH_BYTES);
    this.storeCount = n;
    this.chunkCount = c;
    this.verticales = file.u16(0, n);
    this.recordChunk = file.u32(1, n);
    this.recordOffset = file.u32(2, n);
    this.recordLength = file.u32(3, n);
    this.chunkHashes = file.u8(4);
    this.chunkLength = file.u32(5, c);
    this.checkBounds();
  }

  /** The stores ranked by id: the ordinals themselves, from 1. */
  idRanks(): RankColumn {
    const ranks = Uint32Array.from({ length: this.storeCount }, (_, ordinal) => ordinal + 1);
    return { ranks, highest: this.storeCount };
  }

  /** The SHA-256 of a chunk, in hexadecimal. */
  chunkHash(chunk: number): string {
    return toHex(this.chunkHashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES));
  }

  private checkBounds(): void {
    for (let ordinal = 0; ordinal < this.storeCount; ordinal++) {
      const chunk = this.recordChunk[ordinal] as number;
      const end = (this.recordOffset[ordinal] as number) + (this.recordLength[ordinal] as number);
      if (chunk >= this.chunkCount || end > (this.chunkLength[chunk] as number)) {
        throw new SnapshotFormatError(`stores: record ${ordinal} lies outside of its chunk`);
      }
    }
  }
}
