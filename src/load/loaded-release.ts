/**
 * A release in the memory of an isolate. Its tables are made of index parts, which are read when a
 * request first needs them; records come from chunks, which `SnapshotMemory` keeps.
 */

import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import type { ChunkTable } from '../snapshot/chunk-table.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import type { IdTable } from '../snapshot/id-table.ts';
import { releaseName } from '../snapshot/keys.ts';
import type { Manifest, NumberedRelease, ObjectRef } from '../snapshot/manifest.ts';
import {
  CHUNKS_PART,
  ID_CASES_PART,
  IDS_PART,
  PLACES_PART,
  SLUGS_PART,
  VERTICALES_PART,
} from '../snapshot/manifest.ts';
import type { PlaceTable } from '../snapshot/place-table.ts';
import type { SlugTable } from '../snapshot/slug-table.ts';
import type { RankColumn } from '../snapshot/store-columns.ts';
import { awaitStorage, type Background, LONGEST_WAIT, patienceOf } from './background.ts';
import { buildTable, OPTIONAL_PARTS, tableKey } from './part-tables.ts';
import { type HeldRelease, ORDER_BYTES, type SnapshotMemory } from './snapshot-memory.ts';
import {
  type BorrowedRecords,
  chunksOf,
  heldRecords,
  readRecords,
  type StoredRecords,
} from './stored-records.ts';

function noOrders(): ByteBudgetCache<Uint32Array> {
  return new ByteBudgetCache(ORDER_BYTES, (order) => order.byteLength);
}

export class LoadedRelease implements HeldRelease {
  readonly manifest: Manifest;
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
  /** By the name of their part. */
  private readonly tables = new Map<string, unknown>();

  constructor({ manifest, publishedAt, number }: NumberedRelease, memory: SnapshotMemory) {
    this.manifest = manifest;
    this.number = number;
    this.name = releaseName(number, manifest.release);
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
    return parts.every((name) => this.hasOrShares(name));
  }

  /**
   * Sees to it that the tables of `parts` are in memory: what is missing is read at once, side by
   * side. Null when nothing is missing.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  load(parts: readonly string[], background: Background): Promise<void> | null {
    const missing = parts.filter((name) => !this.hasOrShares(name));
    if (missing.length === 0) return null;
    return awaitStorage(this.readTables(missing, background, patienceOf(background)), background);
  }

  /** Begins to load `parts` for a request that may come to need them, but does not wait yet. */
  async prepare(parts: readonly string[], background: Background): Promise<void> {
    const missing = parts.filter((name) => !this.hasOrShares(name));
    if (missing.length > 0) await this.readTables(missing, background, LONGEST_WAIT);
  }

  /**
   * As `load`, but no request waits for it: one part after the other, which takes less memory and
   * leaves room for the reads that are waited for.
   */
  async prefetch(parts: readonly string[], background: Background): Promise<void> {
    for (const name of parts) {
      if (!this.hasOrShares(name)) await this.readTables([name], background, LONGEST_WAIT);
    }
  }

  get chunkTable(): ChunkTable {
    return this.table(CHUNKS_PART);
  }

  get heldChunkTable(): ChunkTable | null {
    return (this.tables.get(CHUNKS_PART) as ChunkTable | undefined) ?? null;
  }

  get verticales(): Uint16Array {
    return this.table(VERTICALES_PART);
  }

  get ids(): IdTable {
    return this.table(IDS_PART);
  }

  /** Which digits of ids are upper-case letters; null: none. */
  get idCases(): Uint32Array | null {
    return this.lacks(ID_CASES_PART) ? null : this.table(ID_CASES_PART);
  }

  get slugs(): SlugTable {
    return this.table(SLUGS_PART);
  }

  /** The locations and their tree. */
  get places(): PlaceTable {
    return this.table(PLACES_PART);
  }

  /** @param part from `rankPart` */
  ranks(part: string): RankColumn {
    return this.table(part);
  }

  heldTable(key: string): unknown {
    for (const [name, table] of this.tables) {
      if (tableKey(name, this.ref(name)) === key) return table;
    }
    return undefined;
  }

  /**
   * The records of `stores`, in the same order; null unless all their chunks are in memory. The chunks
   * are not borrowed: use them before anything is awaited. The part `chunks` has to be loaded.
   */
  heldRecords(stores: ArrayLike<number>): StoredRecords | null {
    return heldRecords(stores, this.chunkTable, this.memory, null);
  }

  /**
   * The same records, read where they are missing. The caller must call `end` when it has used them.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async records(stores: ArrayLike<number>, background: Background): Promise<BorrowedRecords> {
    const { chunkTable, memory } = this;
    const chunks = chunksOf(stores, chunkTable);
    const end = memory.borrow(chunks);
    try {
      const reading = readRecords(stores, chunks, chunkTable, memory, background);
      return { ...(await awaitStorage(reading, background)), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  private lacks(name: string): boolean {
    return OPTIONAL_PARTS.includes(name) && !(name in this.manifest.parts);
  }

  /**
   * Whether the table of a part is in memory, or the release needs none. A table that another held
   * release has is taken over.
   */
  private hasOrShares(name: string): boolean {
    if (this.tables.has(name) || this.lacks(name)) return true;
    const key = tableKey(name, this.ref(name));
    const shared = this.heldTable(key) ?? this.memory.sharedTable(key);
    if (shared !== undefined) this.tables.set(name, shared);
    return shared !== undefined;
  }

  private async readTables(
    names: readonly string[],
    background: Background,
    patience: number,
  ): Promise<void> {
    const wanted = names.map((name) => {
      const ref = this.ref(name);
      const build = (part: ArrayBuffer) => {
        const table = buildTable(name, part, this.storeCount);
        // Whoever began to read may have given up by now; the table is kept all the same.
        this.tables.set(name, table);
        return table;
      };
      return { name, key: tableKey(name, ref), ref: { ...ref, what: `part ${name}` }, build };
    });
    const tables = await this.memory.readTables(wanted, background, patience);
    // Those that were begun to be read for another release or part are kept by that one alone.
    for (const { name, key } of wanted) this.tables.set(name, tables.get(key));
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
}
