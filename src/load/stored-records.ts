/** Finds the records of a page in the chunks that are in memory, and reads the chunks that are not. */
import { ProblemError } from '../problem.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import type { ChunkTable } from '../snapshot/chunk-table.ts';
import type { Background } from './background.ts';
import { DeadlineError } from './shared-loads.ts';
import type { ChunkRef, SnapshotMemory } from './snapshot-memory.ts';

/** Records of stores: in which chunk each lies, and its number there. */
export interface StoredRecords {
  readonly chunks: readonly Chunk[];
  readonly indexes: readonly number[];
}

/** Records that may be used until `end` is called, which has to be. */
export interface BorrowedRecords extends StoredRecords {
  readonly end: () => void;
}

/** The records of `stores`, if all their chunks are in memory or were just `read`; else null. */
export function heldRecords(
  stores: ArrayLike<number>,
  table: ChunkTable,
  memory: SnapshotMemory,
  read: ReadonlyMap<string, Chunk> | null,
): StoredRecords | null {
  const chunks: Chunk[] = [];
  const indexes: number[] = [];
  let last = -1;
  let chunk: Chunk | undefined;
  for (let place = 0; place < stores.length; place++) {
    const store = stores[place] as number;
    const number = table.chunkOf(store);
    // Neighbours on a page are one use of their chunk. A page that had to be read comes here twice.
    if (number !== last) {
      const hash = table.hash(number);
      chunk = read?.get(hash) ?? memory.heldChunk(hash);
      last = number;
    }
    if (chunk === undefined) return null;
    chunks.push(chunk);
    indexes.push(store - (table.firsts[number] as number));
  }
  return { chunks, indexes };
}

/**
 * The records of `stores`, which lie in `chunks`; these have been borrowed, and some have to be read.
 * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
 */
export async function readRecords(
  stores: ArrayLike<number>,
  chunks: readonly ChunkRef[],
  table: ChunkTable,
  memory: SnapshotMemory,
  background: Background,
): Promise<StoredRecords> {
  const missing = chunks.filter(({ hash }) => !memory.holdsChunk(hash));
  const read = missing.length > 0 ? await memory.readChunks(missing, background) : null;
  const records = heldRecords(stores, table, memory, read);
  if (records) return records;
  // Only of a page that was taken for lost meanwhile some chunks can be gone.
  const detail = 'The answer took too long.';
  throw new ProblemError('storage_unreachable', detail, { cause: new DeadlineError(detail) });
}

/** Every chunk with a record of `stores`, once. */
export function chunksOf(stores: ArrayLike<number>, table: ChunkTable): ChunkRef[] {
  const numbers = new Set<number>();
  for (let place = 0; place < stores.length; place++) {
    numbers.add(table.chunkOf(stores[place] as number));
  }
  return Array.from(numbers, (number) => ({
    what: 'chunk',
    hash: table.hash(number),
    bytes: table.lengths[number] as number,
    stores: table.storesIn(number),
  }));
}
