/**
 * A release in the memory of an isolate. Its tables are made of index parts, which are read when a
 * request first needs them; records come from chunks, which `SnapshotMemory` keeps.
 */
import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { CHUNKS_PART, type ChunkTable } from '../snapshot/chunk-table.ts';
import { releaseName } from '../snapshot/keys.ts';
import type { NumberedRelease, PublishedManifest } from '../snapshot/manifest.ts';
import type { Part } from '../snapshot/part.ts';
import type { Background } from './background.ts';
import { partOf } from './object-reader.ts';
import {
  type ChunkRef,
  type HeldRelease,
  ORDER_BYTES,
  type SnapshotMemory,
  type TableRef,
  tableKey,
} from './snapshot-memory.ts';

/** Records of stores: in which chunk each lies, and its number there. */
export interface StoredRecords {
  readonly chunks: readonly Chunk[];
  readonly indexes: readonly number[];
}

function noOrders(): ByteBudgetCache<Uint32Array> {
  return new ByteBudgetCache(ORDER_BYTES, (order) => order.byteLength);
}

export class LoadedRelease implements HeldRelease {
  readonly manifest: PublishedManifest;
  /** Of the log's entry that put it live. */
  readonly number: number;
  /** What partners know it by. */
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

  /** Of its content: equal content, equal id. */
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
   * Sees to it that the tables of `parts` are in memory: what is missing is read at once, side by
   * side.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async load(parts: readonly Part[], background: Background): Promise<void> {
    if (parts.every(({ name }) => this.tables.has(name))) return;
    const { storage } = background;
    await storage.waitFor(this.readTables(parts, background, storage.patience));
  }

  /** The table of a part that has been loaded. */
  table<Table>({ name }: Part<Table>): Table {
    const held = this.tables.get(name);
    if (held === undefined) throw new Error(`part ${name} was not loaded`);
    return held.table as Table;
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
   * The records of `stores`, in the same order; null unless all their chunks are in memory. Use them
   * before anything is awaited. The part `chunks` has to be loaded.
   */
  heldRecords(stores: ArrayLike<number>): StoredRecords | null {
    return this.collectRecords(stores, (hash) => this.memory.heldChunk(hash));
  }

  /**
   * What `use` makes of the same records, read where they are missing. It must not wait.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async withRecords<Made>(
    stores: ArrayLike<number>,
    background: Background,
    use: (records: StoredRecords) => Made,
  ): Promise<Made> {
    const held = this.heldRecords(stores);
    if (held) return use(held);
    return this.memory.withChunks(this.chunksOf(stores), background, (chunks) =>
      use(this.collectRecords(stores, (hash) => chunks.get(hash)) as StoredRecords),
    );
  }

  private collectRecords(
    stores: ArrayLike<number>,
    chunkNamed: (hash: string) => Chunk | undefined,
  ): StoredRecords | null {
    const { chunkTable } = this;
    const chunks: Chunk[] = [];
    const indexes: number[] = [];
    let last = -1;
    let chunk: Chunk | undefined;
    for (let place = 0; place < stores.length; place++) {
      const store = stores[place] as number;
      const number = chunkTable.chunkOf(store);
      // Neighbours on a page are one use of their chunk.
      if (number !== last) {
        chunk = chunkNamed(chunkTable.hash(number));
        last = number;
      }
      if (chunk === undefined) return null;
      chunks.push(chunk);
      indexes.push(store - (chunkTable.firsts[number] as number));
    }
    return { chunks, indexes };
  }

  /** Every chunk with a record of `stores`, once. */
  private chunksOf(stores: ArrayLike<number>): ChunkRef[] {
    const { chunkTable } = this;
    const { generation } = this.manifest;
    const numbers = new Set<number>();
    for (let place = 0; place < stores.length; place++) {
      numbers.add(chunkTable.chunkOf(stores[place] as number));
    }
    return Array.from(numbers, (number) => ({
      what: 'chunk',
      generation,
      hash: chunkTable.hash(number),
      bytes: chunkTable.lengths[number] as number,
      stores: chunkTable.storesIn(number),
    }));
  }

  /**
   * As `load`, without counting as a wait of the request.
   * @param patience milliseconds to wait at the most
   */
  async readTables(
    parts: readonly Part[],
    background: Background,
    patience: number,
  ): Promise<void> {
    const missing = parts.filter(({ name }) => !this.tables.has(name));
    const wanted = new Map(missing.map((part) => [this.keyOf(part), this.wantedTable(part)]));
    const tables = await this.memory.readTables(wanted, background, patience);
    // Those that were read for another release or part are kept by that one alone.
    for (const part of missing) this.keep(part, tables.get(this.keyOf(part)));
  }

  /** @throws SnapshotFormatError when the release has no such part */
  private wantedTable(part: Part): TableRef {
    const build = (bytes: ArrayBuffer) => {
      const table = part.read(bytes, this.storeCount);
      // Kept even if the request has given up by now.
      this.keep(part, table);
      return table;
    };
    return { ref: partOf(this.manifest, part.name), build };
  }

  private keep(part: Part, table: unknown): void {
    this.tables.set(part.name, { part, table });
  }

  /** @throws SnapshotFormatError when the release has no such part */
  private keyOf(part: Part): string {
    return tableKey(part, partOf(this.manifest, part.name));
  }
}
