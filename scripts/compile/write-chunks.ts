/** The second pass of a compilation: reads the records back in the order of their chunks. */
import { sha256Bytes } from '../../src/hash.ts';
import { chunkLength, layChunk } from '../../src/snapshot/chunk.ts';
import type { ChunkRow } from '../../src/snapshot/chunk-table.ts';
import { objectName } from '../../src/snapshot/manifest.ts';
import { planChunks } from './plan-chunks.ts';
import { type CompileIo, PROGRESS_STEP } from './release-output.ts';
import type { StoreFacts } from './store-facts.ts';

/** Writes the chunks of `facts`, which are in the order of ids. */
export async function writeChunks(
  facts: readonly StoreFacts[],
  { spool, sink, progress, hash = sha256Bytes }: CompileIo,
): Promise<ChunkRow[]> {
  const chunks: ChunkRow[] = [];
  const memory = new ReusedMemory();
  let done = 0;
  for (const stores of planChunks(facts)) {
    const lengths = stores.map(({ recordLength }) => recordLength);
    const chunk = memory.take(chunkLength(lengths));
    for (const [index, record] of layChunk(chunk, lengths).entries()) {
      await spool.read((stores[index] as StoreFacts).spoolOffset, record);
    }
    const name = objectName(await hash(chunk));
    await sink.put(name, chunk);
    chunks.push({ stores: stores.length, bytes: chunk.length, hash: name });
    done += stores.length;
    if (done % PROGRESS_STEP < stores.length) progress?.('chunks', done, facts.length);
  }
  progress?.('chunks', facts.length, facts.length);
  return chunks;
}

/**
 * Memory for one chunk after another. New memory for each would have V8 collect garbage every 50 MB,
 * going through all that the compilation keeps.
 */
class ReusedMemory {
  private bytes = new Uint8Array(1024 * 1024);

  /** So many bytes, valid until the next call; they hold what was there before. */
  take(length: number): Uint8Array {
    if (length > this.bytes.length) this.bytes = new Uint8Array(2 * length);
    return this.bytes.subarray(0, length);
  }
}
