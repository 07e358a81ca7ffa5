/**
 * A release in the memory of an isolate. Its tables are made of index parts, which are read when a
 * request first needs them; records come from chunks, which `SnapshotMemory` keeps.
 */
import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import type { ChunkTable } from '../snapshot/chunk-table.ts';
import type { HoursTable } from '../snapshot/hours-table.ts';
import type { IdTable } from '../snapshot/id-table.ts';
import { releaseName } from '../snapshot/keys.ts';
import {
  CHUNKS_PART,
  HOURS_PART,
  IDS_PART,
  type NumberedRelease,
  PLACES_PART,
  type PublishedManifest,
  SLUGS_PART,
  VERTICALES_PART,
} from '../snapshot/manifest.ts';
import type { PlaceTable } from '../snapshot/place-table.ts';
import type { SlugTable } from '../snapshot/slug-table.ts';
import type { MaskColumn, RankColumn } from '../snapshot/store-columns.ts';
import type { TermTable } from '../snapshot/term-table.ts';
import type { Background } from './background.ts';
import { partOf } from './object-reader.ts';
import { buildTable, tableKey } from './part-tables.ts';
import {
  type ChunkRef,
  type HeldRelease,
  ORDER_BYTES,
  type SnapshotMemory,
  type TableRef,
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
  private readonly tables = new Map<string, unknown>();

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

  /** Names of the parts whose tables are in memory. */
  get loadedParts(): string[] {
    return [...this.tables.keys()];
  }

  /** Whether the tables of all `parts` are in memory. */
  holds(parts: readonly string[]): boolean {
    return parts.every((name) => this.tables.has(name));
  }

  /**
   * Sees to it that the tables of `parts` are in memory: what is missing is read at once, side by
   * side. Null when nothing is missing.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  load(parts: readonly string[], background: Background): Promise<void> | null {
    if (this.holds(parts)) return null;
    const { storage } = background;
    return storage.waitFor(this.readTables(parts, background, storage.patience));
  }

  get chunkTable(): ChunkTable {
    return this.table(CHUNKS_PART);
  }

  get verticales(): MaskColumn {
    return this.table(VERTICALES_PART);
  }

  get ids(): IdTable {
    return this.table(IDS_PART);
  }

  get slugs(): SlugTable {
    return this.table(SLUGS_PART);
  }

  /** The locations and their tree. */
  get places(): PlaceTable {
    return this.table(PLACES_PART);
  }

  /** The schedules of all stores. */
  get hours(): HoursTable {
    return this.table(HOURS_PART);
  }

  /** @param part from `rankPart` */
  ranks(part: string): RankColumn {
    return this.table(part);
  }

  /** @param part from `termsPart` */
  terms(part: string): TermTable {
    return this.table(part);
  }

  heldTable(key: string): unknown {
    for (const [name, table] of this.tables) {
      if (this.keyOf(name) === key) return table;
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
    parts: readonly string[],
    background: Background,
    patience: number,
  ): Promise<void> {
    const missing = parts.filter((name) => !this.tables.has(name));
    const wanted = new Map(missing.map((name) => this.wantedTable(name)));
    const tables = await this.memory.readTables(wanted, background, patience);
    // Those that were read for another release or part are kept by that one alone.
    for (const name of missing) this.tables.set(name, tables.get(this.keyOf(name)));
  }

  /** @throws SnapshotFormatError when the release has no such part */
  private wantedTable(name: string): [string, TableRef] {
    const build = (part: ArrayBuffer) => {
      const table = buildTable(name, part, this.storeCount);
      // Kept even if the request has given up by now.
      this.tables.set(name, table);
      return table;
    };
    const ref = partOf(this.manifest, name);
    return [tableKey(name, ref), { ref, build }];
  }

  /** See `tableKey`. */
  private keyOf(name: string): string {
    return tableKey(name, partOf(this.manifest, name));
  }

  private table<Table>(name: string): Table {
    const table = this.tables.get(name);
    if (table === undefined) throw new Error(`part ${name} was not loaded`);
    return table as Table;
  }
}
