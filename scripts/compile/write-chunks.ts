/** The second pass of a compilation: reads the records back in the order of their chunks. */
import { sha256Bytes, textHash } from '../../src/hash.ts';
import { chunkLength, layChunk } from '../../src/snapshot/chunk.ts';
import { type ChunkRow, LARGEST_CHUNK_COUNT } from '../../src/snapshot/chunk-table.ts';
import { objectName } from '../../src/snapshot/manifest.ts';
import type { CompileIo } from './release-output.ts';
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

/** Writes the chunks of `facts`, which are in the order of ids. */
export async function writeChunks(
  facts: readonly StoreFacts[],
  { spool, sink, progress, signal, hash = sha256Bytes }: CompileIo,
): Promise<ChunkRow[]> {
  const chunks: ChunkRow[] = [];
  // New memory for each chunk would have V8 collect garbage every 50 MB, going through all that the
  // compilation keeps.
  let memory = new Uint8Array(1024 * 1024);
  let done = 0;
  progress?.begin('Compiling', facts.length, 'stores');
  for (const stores of planChunks(facts)) {
    signal?.throwIfAborted();
    const lengths = stores.map(({ recordLength }) => recordLength);
    const length = chunkLength(lengths);
    if (length > memory.length) memory = new Uint8Array(2 * length);
    const chunk = memory.subarray(0, length);
    for (const [index, record] of layChunk(chunk, lengths).entries()) {
      spool.read((stores[index] as StoreFacts).spoolOffset, record);
    }
    const name = objectName(await hash(chunk));
    await sink.put(name, chunk);
    chunks.push({ stores: stores.length, bytes: length, hash: name });
    done += stores.length;
    progress?.update(done);
  }
  return chunks;
}

/**
 * Which records share a chunk. `facts` are in the order of ids.
 *
 * Records lie in the order of ids. A chunk ends with each store whose id hashes higher than those of
 * its neighbours. So a cut depends on the stores beside it alone, and a changed, added or removed
 * store leaves all chunks but one or two as they were.
 *
 * Chunks are small, because a store that changes uploads its whole chunk, and because a page of
 * scattered stores reads as many chunks as it has stores. How small depends on the number of stores:
 * FORMAT.md has the measurements.
 */
function planChunks(facts: readonly StoreFacts[]): StoreFacts[][] {
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
