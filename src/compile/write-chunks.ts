/** The second pass of a compilation: reads the records back in the order of their chunks. */
import { chunkLength, layChunk } from '../snapshot/chunk.ts';
import type { ChunkRow } from '../snapshot/chunk-table.ts';
import { objectHash } from '../snapshot/manifest.ts';
import { planChunks } from './plan-chunks.ts';
import { type CompileIo, PROGRESS_STEP, type RecordSpool } from './release-output.ts';
import type { StoreFacts } from './store-facts.ts';

/** About so many bytes of chunks are hashed at once: to wait for each takes longer than to hash it. */
const HASHED_AT_ONCE = 1024 * 1024;

/** Stores that share a chunk. */
type Plan = readonly StoreFacts[];

/** Writes the chunks of `facts`, which are in the order of ids. */
export async function writeChunks(
  facts: readonly StoreFacts[],
  { spool, sink, progress }: CompileIo,
): Promise<ChunkRow[]> {
  const rows: ChunkRow[] = [];
  const memory = new ChunkMemory();
  let done = 0;
  for (const plans of batches(planChunks(facts))) {
    const chunks = memory.divide(plans.map(planLength));
    for (const [index, chunk] of chunks.entries()) {
      await readRecords(plans[index] as Plan, chunk, spool);
    }
    const hashes = await Promise.all(chunks.map(objectHash));
    for (const [index, chunk] of chunks.entries()) {
      const hash = hashes[index] as string;
      const stores = (plans[index] as Plan).length;
      await sink.put(hash, chunk);
      rows.push({ stores, bytes: chunk.length, hash });
      done += stores;
      if (done % PROGRESS_STEP < stores) progress?.('chunks', done, facts.length);
    }
  }
  progress?.('chunks', facts.length, facts.length);
  return rows;
}

const recordLengths = (plan: Plan): number[] => plan.map(({ recordLength }) => recordLength);
const planLength = (plan: Plan): number => chunkLength(recordLengths(plan));

async function readRecords(plan: Plan, chunk: Uint8Array, spool: RecordSpool): Promise<void> {
  const records = layChunk(chunk, recordLengths(plan));
  for (const [index, record] of records.entries()) {
    await spool.read((plan[index] as StoreFacts).spoolOffset, record);
  }
}

/** Plans that follow each other, about `HASHED_AT_ONCE` bytes together, one at the least. */
function* batches(plans: readonly Plan[]): Generator<Plan[]> {
  let batch: Plan[] = [];
  let bytes = 0;
  for (const plan of plans) {
    batch.push(plan);
    bytes += planLength(plan);
    if (bytes < HASHED_AT_ONCE) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Memory that is used for one batch after another. New memory for each would have V8 collect garbage
 * every 50 MB, going through all that the compilation keeps.
 */
class ChunkMemory {
  private bytes = new Uint8Array(2 * HASHED_AT_ONCE);

  /** Pieces of these lengths, valid until the next call; they hold what was there before. */
  divide(lengths: readonly number[]): Uint8Array[] {
    const needed = lengths.reduce((sum, length) => sum + length, 0);
    if (needed > this.bytes.length) this.bytes = new Uint8Array(needed);
    let end = 0;
    return lengths.map((length) => {
      const start = end;
      end += length;
      return this.bytes.subarray(start, end);
    });
  }
}
