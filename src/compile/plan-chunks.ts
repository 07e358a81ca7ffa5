/**
 * Which records share a chunk.
 *
 * Records follow a space-filling curve, so that near stores are read together; stores with a
 * hidden address come last, in order of id. Where a chunk ends depends on the ids in it alone:
 * a change leaves every other chunk as it was, and an insertion or removal shifts the cuts only
 * up to the next one that both orders share. Chunks are small because one changed store uploads
 * its whole chunk: with about four stores each, 1 % of changes touches about 4 % of the bytes.
 */
import type { StoreFacts } from './store-facts.ts';

/** Fewest and most stores of a chunk; between them one store in CUT_DIVISOR ends it. */
const LEAST_STORES = 2;
const MOST_STORES = 6;
const CUT_DIVISOR = 2;
/** A chunk is closed once it has this many bytes, whatever it holds. */
const LARGEST_CHUNK_BYTES = 512 * 1024;

/** Splits `facts` into chunks, each in the order its records are written. */
export function planChunks(facts: readonly StoreFacts[]): StoreFacts[][] {
  const chunks: StoreFacts[][] = [];
  let chunk: StoreFacts[] = [];
  let bytes = 0;
  for (const store of [...facts].sort(byPlace)) {
    chunk.push(store);
    bytes += store.recordLength;
    if (endsChunk(store, chunk.length, bytes)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

function endsChunk(store: StoreFacts, stores: number, bytes: number): boolean {
  if (stores >= MOST_STORES || bytes >= LARGEST_CHUNK_BYTES) return true;
  return stores >= LEAST_STORES && fnv1a(store.id) % CUT_DIVISOR === 0;
}

function byPlace(a: StoreFacts, b: StoreFacts): number {
  const difference = (a.curve ?? Infinity) - (b.curve ?? Infinity);
  if (difference !== 0 && !Number.isNaN(difference)) return difference;
  return a.id < b.id ? -1 : 1;
}

/** 32-bit FNV-1a (Fowler, Noll, Vo): spreads ids evenly, the same everywhere. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a are weak; fold the high half in.
  return (hash ^ (hash >>> 16)) >>> 0;
}
