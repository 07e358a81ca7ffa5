/** Finds the records of a page in the chunks that are in memory, and reads the chunks that are not. */
import type { Chunk } from '../snapshot/chunk.ts';
import type { ChunkTable } from '../snapshot/chunk-table.ts';
import type { Background } from './background.ts';
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

/** Chunks that a page holds while it waits for others, by name. */
type HeldByPage = Map<string, Chunk>;

/** The records of `stores`, if all their chunks are in `page` or in memory; else null. */
export function heldRecords(
  stores: ArrayLike<number>,
  table: ChunkTable,
  memory: SnapshotMemory,
  page: HeldByPage | null,
): StoredRecords | null {
  const chunks: Chunk[] = [];
  const indexes: number[] = [];
  let last = -1;
  let chunk: Chunk | undefined;
  for (let place = 0; place < stores.length; place++) {
    const store = stores[place] as number;
    const number = table.chunkOf(store);
    // Neighbours on a page are one use of their chunk.
    if (number !== last) {
      const hash = table.hash(number);
      chunk = page?.get(hash) ?? memory.heldChunk(hash);
      last = number;
    }
    if (chunk === undefined) return null;
    chunks.push(chunk);
    indexes.push(store - (table.firsts[number] as number));
  }
  return { chunks, indexes };
}

/**
 * The records of `stores`, of which some chunks have to be read.
 *
 * What is in memory is not held while the rest is read, so some of it may have been dropped by then.
 * That is read too, and this time the whole page is held meanwhile.
 * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
 */
export async function readRecords(
  stores: ArrayLike<number>,
  table: ChunkTable,
  memory: SnapshotMemory,
  background: Background,
): Promise<StoredRecords> {
  const missing = chunksOf(stores, table).filter(({ hash }) => !memory.holdsChunk(hash));
  const page: HeldByPage = new Map();
  take(await memory.readChunks(missing, background), memory, page);
  const records = heldRecords(stores, table, memory, page);
  if (records) return records;
  const dropped = chunksOf(stores, table).filter(({ hash }) => !isHeld(hash, memory, page));
  take(await memory.readChunks(dropped, background), memory, page);
  return heldRecords(stores, table, memory, page) as StoredRecords;
}

/** Lets `page` hold chunks that were read; those that others let go of meanwhile are as good. */
function take(chunks: ReadonlyMap<string, Chunk>, { dropped }: SnapshotMemory, page: HeldByPage) {
  for (const [hash, chunk] of chunks) {
    dropped.use(chunk);
    if (!chunk.isGone) page.set(hash, chunk);
  }
}

/** Whether `page` holds a chunk; one that is in memory it holds from here on. */
function isHeld(hash: string, memory: SnapshotMemory, page: HeldByPage): boolean {
  if (page.has(hash)) return true;
  const chunk = memory.heldChunk(hash);
  if (chunk) page.set(hash, chunk);
  return chunk !== undefined;
}

/** Every chunk with a record of `stores`, once. */
function chunksOf(stores: ArrayLike<number>, table: ChunkTable): ChunkRef[] {
  const numbers = new Set<number>();
  for (let place = 0; place < stores.length; place++) {
    numbers.add(table.chunkOf(stores[place] as number));
  }
  return Array.from(numbers, (number) => ({
    hash: table.hash(number),
    bytes: table.lengths[number] as number,
    stores: table.storesIn(number),
  }));
}
