/**
 * A release in the memory of an isolate. Its tables are made of index parts, which are read when a
 * request first needs them; records come from chunks, which `SnapshotMemory` keeps.
 */

import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import { ChunkTable } from '../snapshot/chunk-table.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { IdTable } from '../snapshot/id-table.ts';
import {
  CHUNKS_PART,
  FINGERPRINTS_PART,
  IDS_PART,
  PLACES_PART,
  SLUG_TEXTS_PART,
  SLUGS_PART,
  VERTICALES_PART,
} from '../snapshot/index-parts.ts';
import type { LiveRelease, Manifest, ObjectRef } from '../snapshot/manifest.ts';
import { PlaceTable } from '../snapshot/place-table.ts';
import { SlugTable, SlugTexts } from '../snapshot/slug-table.ts';
import {
  FingerprintColumn,
  type RankColumn,
  readRankColumn,
  readVerticales,
} from '../snapshot/store-columns.ts';
import type { Background } from './background.ts';
import { type ChunkRef, ORDER_BYTES, type SnapshotMemory } from './snapshot-memory.ts';

/** How often a page is put together anew because a chunk was dropped while others were read. */
const MOST_ROUNDS = 5;

/** Records of stores: in which chunk each lies, and its number there. */
export interface StoredRecords {
  readonly chunks: readonly Chunk[];
  readonly indexes: readonly number[];
}

/** Makes the table of a part of its bytes. */
type BuildTable = (part: ArrayBuffer, storeCount: number) => unknown;

/** The parts that are not named by a sort column. */
const TABLES: Readonly<Record<string, BuildTable>> = {
  [CHUNKS_PART]: (part, n) => new ChunkTable(part, n),
  [VERTICALES_PART]: readVerticales,
  [IDS_PART]: (part, n) => new IdTable(part, n),
  [SLUGS_PART]: (part, n) => new SlugTable(part, n),
  [SLUG_TEXTS_PART]: (part, n) => new SlugTexts(part, n),
  [FINGERPRINTS_PART]: (part, n) => new FingerprintColumn(part, n),
  [PLACES_PART]: (part, n) => new PlaceTable(part, n),
};

export class LoadedRelease {
  readonly manifest: Manifest;
  readonly publishedAt: Date;
  /** `publishedAt` as headers write it. */
  readonly lastModified: string;
  /** Orders of stores that queries have computed, by what they depend on. */
  readonly orders = new ByteBudgetCache<Uint32Array>(ORDER_BYTES, (o) => o.byteLength);
  private readonly memory: SnapshotMemory;
  /** By the name of their part. */
  private readonly tables = new Map<string, unknown>();

  constructor({ manifest, publishedAt }: LiveRelease, memory: SnapshotMemory) {
    this.manifest = manifest;
    this.publishedAt = new Date(publishedAt);
    this.lastModified = this.publishedAt.toUTCString();
    this.memory = memory;
  }

  get id(): string {
    return this.manifest.release;
  }

  get storeCount(): number {
    return this.manifest.storeCount;
  }

  /** Names of the parts whose tables are in memory. */
  get loadedParts(): string[] {
    return [...this.tables.keys()];
  }

  /**
   * Sees to it that the tables of `parts` are in memory: what is missing is read at once, side by
   * side. Null when nothing is missing.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  load(parts: readonly string[], background: Background): Promise<void> | null {
    const missing = parts.filter((name) => !this.has(name));
    return missing.length === 0 ? null : this.readTables(missing, background);
  }

  get chunkTable(): ChunkTable {
    return this.table(CHUNKS_PART);
  }

  get verticales(): Uint16Array {
    return this.table(VERTICALES_PART);
  }

  get ids(): IdTable {
    return this.table(IDS_PART);
  }

  get slugs(): SlugTable {
    return this.table(SLUGS_PART);
  }

  get slugTexts(): SlugTexts {
    return this.table(SLUG_TEXTS_PART);
  }

  get fingerprints(): FingerprintColumn {
    return this.table(FINGERPRINTS_PART);
  }

  /** The locations and their tree. */
  get places(): PlaceTable {
    return this.table(PLACES_PART);
  }

  /** @param part from `rankPart` */
  ranks(part: string): RankColumn {
    return this.table(part);
  }

  /** The table of a part if it is in memory and made of exactly this object. */
  tableFrom(name: string, hash: string): unknown {
    return this.ref(name).hash === hash ? this.tables.get(name) : undefined;
  }

  /**
   * The records of `stores`, in the same order; at once when their chunks are in memory. The part
   * `chunks` has to be loaded.
   * Rejections: ProblemError storage_unreachable.
   */
  records(
    stores: ArrayLike<number>,
    background: Background,
  ): StoredRecords | Promise<StoredRecords> {
    return this.heldRecords(stores, null) ?? this.readRecords(stores, background);
  }

  private has(name: string): boolean {
    if (this.tables.has(name)) return true;
    const shared = this.memory.sharedTable(name, this.ref(name).hash);
    if (shared !== undefined) this.tables.set(name, shared);
    return shared !== undefined;
  }

  private async readTables(names: readonly string[], background: Background): Promise<void> {
    const start = Date.now();
    const reads = names.map(async (name) => {
      const build = TABLES[name] ?? ((part, n) => readRankColumn(name, part, n));
      const table = await this.memory.readTable(
        this.ref(name),
        (part) => build(part, this.storeCount),
        background,
      );
      this.tables.set(name, table);
    });
    await Promise.all(reads);
    background.storage.waited += Date.now() - start;
  }

  /** The object of a part. @throws SnapshotFormatError */
  private ref(name: string): ObjectRef {
    const ref = this.manifest.parts[name];
    if (!ref) throw new SnapshotFormatError(`release ${this.id}: no part ${name}`);
    return ref;
  }

  private table<Table>(name: string): Table {
    const table = this.tables.get(name);
    if (table === undefined) throw new Error(`part ${name} was not loaded`);
    return table as Table;
  }

  /** The records if all their chunks are in `read` or in memory, else null. */
  private heldRecords(
    stores: ArrayLike<number>,
    read: ReadonlyMap<string, Chunk> | null,
  ): StoredRecords | null {
    const { chunkTable } = this;
    const chunks: Chunk[] = [];
    const indexes: number[] = [];
    for (let place = 0; place < stores.length; place++) {
      const store = stores[place] as number;
      const number = chunkTable.chunkOf(store);
      const hash = chunkTable.hash(number);
      const chunk = read?.get(hash) ?? this.memory.heldChunk(hash);
      if (chunk === undefined) return null;
      chunks.push(chunk);
      indexes.push(store - (chunkTable.firsts[number] as number));
    }
    return { chunks, indexes };
  }

  /**
   * Only what is read here is held while it waits: chunks that were in memory may be dropped
   * meanwhile, and are read too then.
   */
  private async readRecords(
    stores: ArrayLike<number>,
    background: Background,
  ): Promise<StoredRecords> {
    const start = Date.now();
    const read = new Map<string, Chunk>();
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const missing = this.missingChunks(stores, read);
      for (const [hash, chunk] of await this.memory.readChunks(missing, background)) {
        read.set(hash, chunk);
      }
      const records = this.heldRecords(stores, read);
      if (records) {
        background.storage.waited += Date.now() - start;
        return records;
      }
    }
    throw new Error('chunks were dropped as fast as they were read');
  }

  private missingChunks(stores: ArrayLike<number>, read: ReadonlyMap<string, Chunk>): ChunkRef[] {
    const { chunkTable } = this;
    const missing = new Map<string, ChunkRef>();
    for (let place = 0; place < stores.length; place++) {
      const number = chunkTable.chunkOf(stores[place] as number);
      const hash = chunkTable.hash(number);
      if (read.has(hash) || missing.has(hash) || this.memory.heldChunk(hash)) continue;
      const bytes = chunkTable.lengths[number] as number;
      missing.set(hash, { hash, bytes, stores: chunkTable.storesIn(number) });
    }
    return [...missing.values()];
  }
}
