/**
 * The `chunks` part: which chunk holds the record of a store. Every request that shows one needs it.
 *
 * Stores are numbered (their *ordinal*) in ascending order of id, so the default order of a list needs
 * no column. Chunks hold the stores in this order too, so that the chunk of a store follows from the first
 * store of each. c chunks:
 *
 *     section  content
 *     0        firsts    u32 × (c + 1), ordinal of the chunk's first store; at the end the number of stores
 *     1        lengths   u32 × c, bytes of the chunk
 *     2        hashes    16·c bytes, the name of the chunk's object
 */

import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { expectEqual } from './format-error.ts';
import { HASH_DIGITS } from './manifest.ts';
import type { Part } from './part.ts';

export const CHUNKS_PART = { name: 'chunks', read: readChunks } satisfies Part;

export type ChunkTable = ReturnType<typeof readChunks>;

const HASH_BYTES = HASH_DIGITS / 2;
/** Hexadecimal digits of four bytes. */
const WORD_DIGITS = 8;
const SECTION_COUNT = 3;

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
function readChunks(part: ArrayBuffer, storeCount: number) {
  const file = new ColumnFile('chunks', part, SECTION_COUNT);
  /** Ordinal of the first store of each chunk, and the number of all stores at the end. */
  const firsts = file.u32(0);
  const chunkCount = firsts.length - 1;
  expectEqual('chunks stores', firsts.at(-1) ?? 0, storeCount);
  /** Bytes of each chunk. */
  const lengths = file.u32(1, chunkCount);
  const hashes = file.u8(2);
  expectEqual('chunks hashes', hashes.length, chunkCount * HASH_BYTES);
  /** Hashes as text, made when first asked for. */
  const names: string[] = [];

  /** The number of the chunk that holds a store, by binary search. */
  function chunkOf(store: number): number {
    let low = 0;
    let high = chunkCount - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((firsts[middle] as number) <= store) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many stores a chunk holds. */
  function storesIn(chunk: number): number {
    return (firsts[chunk + 1] as number) - (firsts[chunk] as number);
  }

  /** The name of a chunk's object, in hexadecimal. */
  function hash(chunk: number): string {
    names[chunk] ??= hashes.subarray(chunk * HASH_BYTES, (chunk + 1) * HASH_BYTES).toHex();
    return names[chunk];
  }

  /** Those of `known` that are the names of its chunks: 4 to 12 ms for 1,500 in 50,000 chunks. */
  function listed(known: ReadonlySet<string>): Set<string> {
    const found = new Set<string>();
    // Few names begin with the same four bytes; only those are compared as a whole.
    const words = new Set(
      Array.from(known, (name) => Number.parseInt(name.slice(0, WORD_DIGITS), 16)),
    );
    const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
    for (let chunk = 0; chunk < chunkCount; chunk++) {
      if (!words.has(view.getUint32(chunk * HASH_BYTES))) continue;
      const name = hash(chunk);
      if (known.has(name)) found.add(name);
    }
    return found;
  }

  return { chunkCount, firsts, lengths, chunkOf, storesIn, hash, listed };
}
