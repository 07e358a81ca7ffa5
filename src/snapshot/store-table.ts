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
 *     2        slug offsets    u32 × (n + 1), into section 3
 *     3        slugs           UTF-8, in ordinal order
 *     4        slug order      u32 × n, ordinals in ascending order of slug (UTF-16 code units)
 *     5        verticales      u16 × n, masks
 *     6        record chunk    u32 × n
 *     7        record offset   u32 × n, bytes into the chunk, multiple of 4
 *     8        record length   u32 × n, bytes
 *     9        chunk hashes    32·c bytes, SHA-256
 *     10       chunk lengths   u32 × c, bytes
 */
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { compareUtf8 } from './compare-utf8.ts';
import { SnapshotFormatError } from './format-error.ts';
import { fromHex, toHex } from './hash.ts';
import type { RankColumn } from './rank-column.ts';

export const ID_BYTES = 12;
const HASH_BYTES = 32;
const SECTION_COUNT = 11;

const encoder = new TextEncoder();

/** Where a record lies: chunk number, byte offset within the chunk, length in bytes. */
export interface RecordAddress {
  readonly chunk: number;
  readonly offset: number;
  readonly length: number;
}

export interface StoreRow {
  /** 24 hexadecimal digits, in any case. */
  readonly id: string;
  readonly slug: string;
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
  const slugs = rows.map(({ slug }) => encoder.encode(slug));
  const slugOffsets = new Uint32Array(rows.length + 1);
  slugs.forEach((slug, ordinal) => {
    slugOffsets[ordinal + 1] = (slugOffsets[ordinal] as number) + slug.length;
  });
  return writeColumnFile([
    concatenate(rows.map(({ id }) => fromHex(id))),
    orderBy(rows, ({ id }) => id.toLowerCase()),
    slugOffsets,
    concatenate(slugs),
    orderBy(rows, ({ slug }) => slug),
    Uint16Array.from(rows, (row) => row.verticales),
    Uint32Array.from(rows, (row) => row.record.chunk),
    Uint32Array.from(rows, (row) => row.record.offset),
    Uint32Array.from(rows, (row) => row.record.length),
    concatenate(chunks.map(({ hash }) => fromHex(hash))),
    Uint32Array.from(chunks, (chunk) => chunk.bytes),
  ]);
}

/** Ordinals in ascending order of a key, by UTF-16 code unit. Keys are unique. */
function orderBy(rows: readonly StoreRow[], keyOf: (row: StoreRow) => string): Uint32Array {
  const order = rows.map((row, ordinal) => ({ key: keyOf(row), ordinal }));
  order.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Uint32Array.from(order, ({ ordinal }) => ordinal);
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
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
  private readonly slugOrder: Uint32Array;
  private readonly ids: Uint8Array;
  private readonly slugOffsets: Uint32Array;
  private readonly slugs: Uint8Array;
  private readonly chunkHashes: Uint8Array;
  private readonly decoder = new TextDecoder();

  /** Checks the layout and the bounds of every offset. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer) {
    const file = new ColumnFile('stores', buffer, SECTION_COUNT);
    const n = Math.floor(file.bytes(0) / ID_BYTES);
    const c = Math.floor(file.bytes(9) / HASH_BYTES);
    this.storeCount = n;
    this.chunkCount = c;
    this.ids = file.u8(0);
    this.idOrder = file.u32(1, n);
    this.slugOffsets = file.u32(2, n + 1);
    this.slugs = file.u8(3);
    this.slugOrder = file.u32(4, n);
    this.verticales = file.u16(5, n);
    this.recordChunk = file.u32(6, n);
    this.recordOffset = file.u32(7, n);
    this.recordLength = file.u32(8, n);
    this.chunkHashes = file.u8(9);
    this.chunkLength = file.u32(10, c);
    this.checkBounds();
  }

  /** The ordinal of the store with this id, in any case, or null. */
  findId(id: string): number | null {
    const wanted = fromHex(id);
    return this.search(this.idOrder, (ordinal) => this.compareId(ordinal, wanted));
  }

  /** The ordinal of the store with exactly this slug, or null. */
  findSlug(slug: string): number | null {
    const wanted = encoder.encode(slug);
    return this.search(this.slugOrder, (ordinal) => {
      const start = this.slugOffsets[ordinal] as number;
      return compareUtf8(this.slugs, start, this.slugOffsets[ordinal + 1] as number, wanted);
    });
  }

  /** The stores ranked by id: the ordinals themselves, from 1. */
  idRanks(): RankColumn {
    const ranks = Uint32Array.from({ length: this.storeCount }, (_, ordinal) => ordinal + 1);
    return { ranks, highest: this.storeCount };
  }

  /** The stores ranked by slug, in ascending order of UTF-16 code units. */
  slugRanks(): RankColumn {
    const ranks = new Uint32Array(this.storeCount);
    for (let place = 0; place < this.storeCount; place++) {
      ranks[this.slugOrder[place] as number] = place + 1;
    }
    return { ranks, highest: this.storeCount };
  }

  /** The id of a store in lower case, 24 hexadecimal digits. */
  id(ordinal: number): string {
    return toHex(this.ids.subarray(ordinal * ID_BYTES, (ordinal + 1) * ID_BYTES));
  }

  slug(ordinal: number): string {
    const start = this.slugOffsets[ordinal] as number;
    const end = this.slugOffsets[ordinal + 1] as number;
    return this.decoder.decode(this.slugs.subarray(start, end));
  }

  /** The SHA-256 of a chunk, in hexadecimal. */
  chunkHash(chunk: number): string {
    return toHex(this.chunkHashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES));
  }

  /**
   * Binary search over ordinals in some order; `compare` tells how the store of an ordinal stands
   * to the wanted one.
   */
  private search(order: Uint32Array, compare: (ordinal: number) => number): number | null {
    let low = 0;
    let high = this.storeCount - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const ordinal = order[middle] as number;
      const difference = compare(ordinal);
      if (difference === 0) return ordinal;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return null;
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
      const ordered = Math.max(this.idOrder[ordinal] as number, this.slugOrder[ordinal] as number);
      if (ordered >= this.storeCount) {
        throw new SnapshotFormatError(`stores: place ${ordinal} of an order names no store`);
      }
      if ((this.slugOffsets[ordinal] as number) > (this.slugOffsets[ordinal + 1] as number)) {
        throw new SnapshotFormatError(`stores: slug ${ordinal} ends before it starts`);
      }
    }
    if ((this.slugOffsets[this.storeCount] as number) !== this.slugs.length) {
      throw new SnapshotFormatError('stores: slugs do not end where their section ends');
    }
  }
}
