/**
 * A release in the memory of an isolate. Its tables are made of index parts, which are read when a
 * request first needs them; records come from chunks, which `SnapshotMemory` keeps.
 */
import { BudgetCache } from '../cache/budget-cache.ts';
import { CHUNKS_PART, type Chunk, type ChunkTable } from '../snapshot/chunks.ts';
import type { Part } from '../snapshot/column-file.ts';
import { releaseName } from '../snapshot/keys.ts';
import type { NumberedRelease, PublishedManifest } from '../snapshot/manifest.ts';
import type { ReadContext } from '../storage/reading.ts';
import { partOf, type WantedObject } from './object-reader.ts';
import {
  type ChunkRef,
  type HeldRelease,
  ORDER_BYTES,
  type SnapshotMemory,
  tableKey,
} from './snapshot-memory.ts';

/** Records of stores: in which chunk each lies, and its index there. */
export interface StoredRecords {
  readonly chunks: readonly Chunk[];
  readonly indexes: readonly number[];
}

/** Records that are in memory until they are disposed, or for ten seconds. */
export interface Records extends StoredRecords, Disposable {}

function noOrders(): BudgetCache<Uint32Array> {
  return new BudgetCache(ORDER_BYTES, (order) => order.byteLength);
}

export class LoadedRelease implements HeldRelease {
  readonly manifest: PublishedManifest;
  /** Number of the log's entry that put it live. */
  readonly number: number;
  /** Its name, as partners know it. */
  readonly name: string;
  readonly publishedAt: Date;
  /** `publishedAt` as headers write it. */
  readonly lastModified: string;
  /** Orders of stores that queries have computed, by what they depend on. */
  orders = noOrders();
  private readonly memory: SnapshotMemory;
  /** Tables by the name of their part. */
  private readonly tables = new Map<string, { readonly part: Part; readonly table: unknown }>();

  constructor({ manifest, publishedAt, number }: NumberedRelease, memory: SnapshotMemory) {
    this.manifest = manifest;
    this.number = number;
    this.name = releaseName(number, manifest.release);
    this.publishedAt = new Date(publishedAt);
    this.lastModified = this.publishedAt.toUTCString();
    this.memory = memory;
  }

  /** Id of its content: equal content has equal ids. */
  get id(): string {
    return this.manifest.release;
  }

  get storeCount(): number {
    return this.manifest.storeCount;
  }

  /** Lets go of what queries have computed: a release that is there to fall back on is seldom used. */
  retire(): void {
    this.orders = noOrders();
  }

  /** The parts whose tables are in memory. */
  get loadedParts(): Part[] {
    return Array.from(this.tables.values(), ({ part }) => part);
  }

  /**
   * Loads the tables of `parts`: what is missing is read at once, side by side.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async load(parts: readonly Part[], context: ReadContext): Promise<void> {
    const missing = parts.filter(({ name }) => !this.tables.has(name));
    if (missing.length === 0) return;
    await context.storage.measureWait(this.loadUnmeasured(missing, context, context.giveUpAt));
  }

  /** Loads as `load` does, but the time does not count as a wait of the request. @param giveUpAt milliseconds since 1970 */
  async loadUnmeasured(
    parts: readonly Part[],
    context: ReadContext,
    giveUpAt: number,
  ): Promise<void> {
    const { objects, tableReads } = this.memory;
    const wanted = new Map(parts.map((part) => [this.keyOf(part), part]));
    const start = (keys: readonly string[]) => {
      const due = keys.map((key) => wanted.get(key) as Part);
      const refs = due.map((part) => this.refOf(part));
      const reads = objects.read(refs, context, 1);
      return reads?.map((read, index) => this.build(due[index] as Part, read));
    };
    const tables = await tableReads.load(wanted.keys(), start, context, giveUpAt);
    // Parts of equal bytes share a table, and another release may have read it.
    for (const part of parts) this.keep(part, tables.get(this.keyOf(part)));
  }

  /** Returns the table of a part that has been loaded. */
  table<Table>({ name }: Part<Table>): Table {
    const loaded = this.tables.get(name);
    if (loaded === undefined) throw new Error(`part ${name} was not loaded`);
    return loaded.table as Table;
  }

  get chunkTable(): ChunkTable {
    return this.table(CHUNKS_PART);
  }

  heldTable(key: string): unknown {
    for (const { part, table } of this.tables.values()) {
      if (this.keyOf(part) === key) return table;
    }
    return undefined;
  }

  /**
   * Returns the records of `stores`, in the same order. The part `chunks` has to be loaded.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async records(stores: ArrayLike<number>, context: ReadContext): Promise<Records> {
    const { chunkTable, memory } = this;
    const { generation } = this.manifest;
    const use = memory.pages.open();
    const chunks: Chunk[] = [];
    const indexes: number[] = [];
    const missing = new Map<string, ChunkRef>();
    let last = -1;
    let chunk: Chunk | undefined;
    for (let index = 0; index < stores.length; index++) {
      const store = stores[index] as number;
      const chunkIndex = chunkTable.chunkOf(store);
      // Neighbours on a page are one use of their chunk.
      if (chunkIndex !== last) {
        const hash = chunkTable.hash(chunkIndex);
        use.hashes.add(hash);
        chunk = memory.heldChunk(hash);
        if (!chunk) {
          const bytes = chunkTable.lengths[chunkIndex] as number;
          const count = chunkTable.storesIn(chunkIndex);
          missing.set(hash, { what: 'chunk', generation, hash, bytes, stores: count });
        }
        last = chunkIndex;
      }
      chunks.push(chunk as Chunk);
      indexes.push(store - (chunkTable.firsts[chunkIndex] as number));
    }
    const records = { chunks, indexes, [Symbol.dispose]: use[Symbol.dispose] };
    if (missing.size === 0) return records;
    try {
      const loaded = await context.storage.measureWait(memory.loadChunks(missing, context));
      for (let index = 0; index < stores.length; index++) {
        const hash = chunkTable.hash(chunkTable.chunkOf(stores[index] as number));
        chunks[index] ??= loaded.get(hash) as Chunk;
      }
      return records;
    } catch (error) {
      use[Symbol.dispose]();
      throw error;
    }
  }

  /** Makes the table of a part, and keeps it even if the request has given up by then. */
  private async build(part: Part, read: Promise<ArrayBuffer>): Promise<unknown> {
    const table = part.read(await read, this.storeCount);
    this.keep(part, table);
    return table;
  }

  private keep(part: Part, table: unknown): void {
    this.tables.set(part.name, { part, table });
  }

  private keyOf(part: Part): string {
    return tableKey(part, this.refOf(part));
  }

  /** Returns the object of a part. @throws SnapshotFormatError when the release has no such part */
  private refOf({ name }: Part): WantedObject {
    return partOf(this.manifest, name);
  }
}
