/**
 * Which records share a chunk.
 *
 * Records lie in the order of ids. A chunk ends with each store whose id hashes higher than those of
 * its neighbours. So a cut depends on the stores beside it alone, and a changed, added or removed
 * store leaves all chunks but one or two as they were.
 *
 * Chunks are small, because a store that changes uploads its whole chunk, and because a page of
 * scattered stores reads as many chunks as it has stores. How small depends on the number of stores:
 * FORMAT.md has the measurements.
 */

import { textHash } from '../../src/hash.ts';
import { LARGEST_CHUNK_COUNT } from '../../src/snapshot/chunk-table.ts';
import type { StoreFacts } from './store-facts.ts';

/** A chunk that has this many bytes takes no further store. */
const LARGEST_CHUNK_BYTES = 512 * 1024;

/** Up to so many stores, a first publication has to stay within a day of KV's free plan. */
const SMALL_DIRECTORY = 10_000;

/**
 * How many hashes are compared for a cut, which is also the mean number of stores in a chunk: the
 * highest of so many neighbours is as likely to be any one of them.
 */
const neighbours = (storeCount: number): number => (storeCount <= SMALL_DIRECTORY ? 4 : 2);

/** Splits `facts`, which are in the order of ids, into chunks. */
export function planChunks(facts: readonly StoreFacts[]): StoreFacts[][] {
  const hashes = Uint32Array.from(facts, ({ id }) => textHash(id));
  const compared = neighbours(facts.length);
  const chunks: StoreFacts[][] = [];
  let chunk: StoreFacts[] = [];
  let bytes = 0;
  facts.forEach((store, index) => {
    chunk.push(store);
    bytes += store.recordLength;
    const isFull = bytes >= LARGEST_CHUNK_BYTES || chunk.length === LARGEST_CHUNK_COUNT;
    if (!isFull && !isHighest(hashes, index, compared) && index < facts.length - 1) return;
    chunks.push(chunk);
    chunk = [];
    bytes = 0;
  });
  return chunks;
}

/** Whether the hash at `index` is the highest of `compared` neighbours around it. */
function isHighest(hashes: Uint32Array, index: number, compared: number): boolean {
  const first = index - ((compared - 1) >> 1);
  for (let other = first; other < first + compared; other++) {
    if (other !== index && (hashes[other] ?? 0) >= (hashes[index] as number)) return false;
  }
  return true;
}
