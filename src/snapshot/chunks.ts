/**
 * Chunks hold the records of stores, and the `chunks` part says which chunk holds which: every request
 * that shows a store needs it.
 *
 * Stores are numbered (their *ordinal*) in ascending order of id, so the default order of a list needs
 * no column. Chunks hold the stores in this order too, so that the chunk of a store follows from the first
 * store of each. A chunk of r records:
 *
 *     offset  size  what
 *     0       4     number of records, r
 *     4       4·r   where each record starts, in bytes from the start of the chunk
 *     …             the records, each on a multiple of 4, the last one ends the chunk
 *
 * Numbers are little-endian u32. `record.ts` draws a record. The part, of c chunks:
 *
 *     section  content
 *     0        firsts    u32 × (c + 1), ordinal of the chunk's first store; at the end the number of stores
 *     1        lengths   u32 × c, bytes of the chunk
 *     2        hashes    16·c bytes, the name of the chunk's object
 */
import {
  type ColumnFile,
  columnPart,
  concatenate,
  expectEqual,
  lowerBound,
  writeColumnFile,
} from './column-file.ts';
import { HASH_DIGITS } from './manifest.ts';

const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** Returns how long a chunk of records of these lengths is. */
export function chunkLength(recordLengths: readonly number[]): number {
  return recordLengths.reduce((end, length) => end + length, WORD * (1 + recordLengths.length));
}

/**
 * Writes the header of a chunk into its memory.
 * @param recordLengths multiples of 4
 * @returns the parts of `chunk` that are to be filled, one for each record
 */
export function layChunk(chunk: Uint8Array, recordLengths: readonly number[]): Uint8Array[] {
  const view = new DataView(chunk.buffer, chunk.byteOffset);
  view.setUint32(0, recordLengths.length, true);
  let end = WORD * (1 + recordLengths.length);
  return recordLengths.map((length, index) => {
    view.setUint32(WORD * (1 + index), end, true);
    const start = end;
    end += length;
    return chunk.subarray(start, end);
  });
}

/** A chunk in memory, viewed as bytes, as half words and as words. */
export type Chunk = ReturnType<typeof readChunk>;

/**
 * Views a chunk in place, and checks the number of records.
 * @param count of the records it must hold
 * @throws SnapshotFormatError
 */
export function readChunk(buffer: ArrayBuffer, count: number) {
  expectEqual('chunk length modulo 4', buffer.byteLength % WORD, 0);
  const words = new Uint32Array(buffer);
  expectEqual('chunk records', words[0] ?? 0, count);
  return { bytes: new Uint8Array(buffer), halves: new Uint16Array(buffer), words };
}

export const CHUNKS_PART = columnPart('chunks', 3, readChunks);

export type ChunkTable = ReturnType<typeof readChunks>;

const HASH_BYTES = HASH_DIGITS / 2;

export interface ChunkRow {
  /** Number of stores. */
  readonly stores: number;
  readonly bytes: number;
  /** Name of the object. */
  readonly hash: string;
}

/** Writes the part. */
export function writeChunkTable(chunks: readonly ChunkRow[]): Uint8Array<ArrayBuffer> {
  const firsts = [0];
  for (const { stores } of chunks) firsts.push((firsts.at(-1) as number) + stores);
  return writeColumnFile([
    Uint32Array.from(firsts),
    Uint32Array.from(chunks, (chunk) => chunk.bytes),
    concatenate(chunks.map(({ hash }) => Uint8Array.fromHex(hash))),
  ]);
}

/** Reads the part in place, and checks its layout and the number of stores. @throws SnapshotFormatError */
function readChunks(file: ColumnFile, storeCount: number) {
  /** Ordinal of the first store of each chunk, and the number of all stores at the end. */
  const firsts = file.u32(0);
  const chunkCount = firsts.length - 1;
  expectEqual('chunks stores', firsts.at(-1) ?? 0, storeCount);
  /** Bytes of each chunk. */
  const lengths = file.u32(1, chunkCount);
  const hashes = file.u8(2);
  expectEqual('chunks hashes', hashes.length, chunkCount * HASH_BYTES);

  /** Returns the index of the chunk that holds a store. */
  function chunkOf(store: number): number {
    return lowerBound(chunkCount, (chunk) => (firsts[chunk + 1] as number) <= store);
  }

  /** Returns how many stores a chunk holds. */
  function storesIn(chunk: number): number {
    return (firsts[chunk + 1] as number) - (firsts[chunk] as number);
  }

  /** Returns the name of a chunk's object, in hexadecimal. */
  function hash(chunk: number): string {
    return hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES).toHex();
  }

  return { chunkCount, firsts, lengths, chunkOf, storesIn, hash };
}
