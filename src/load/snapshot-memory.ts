/**
 * What an isolate holds of snapshots, within its 128 MiB:
 *
 *     heap         HEAP_BYTES     code, small objects, texts on their way; garbage, that of buffers too
 *     on its way   LOADING_BYTES  objects that are being read, and answers being written
 *     index        what the held releases weigh: the parts that queries need, what is derived from
 *                  them, orders
 *     set aside    what was worked out and is kept: the changes between releases
 *     chunks       the rest
 *
 * So a directory of 2,500 stores, 35 MB of chunks, stays whole, and at 100,000 stores the chunks
 * that are used most do. Objects are shared by name: what two releases have in common is held once.
 */

import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import { Chunk } from '../snapshot/chunk.ts';
import type { ChunkTable } from '../snapshot/chunk-table.ts';
import { isComparedPart } from '../snapshot/compared-stores.ts';
import { type Manifest, TOOL_PARTS } from '../snapshot/manifest.ts';
import type { SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { DroppedChunks } from './dropped-chunks.ts';
import { ObjectReader, type WantedObject } from './object-reader.ts';
import { type BeginReads, SharedLoads } from './shared-loads.ts';

const MIB = 1024 * 1024;

const ISOLATE_BYTES = 128 * MIB;
const HEAP_BYTES = 72 * MIB;
const LOADING_BYTES = 12 * MIB;

/** Orders of stores that a release keeps: at 100,000 stores one takes 400 kB. */
export const ORDER_BYTES = 4 * MIB;

/** Bytes per location for what is derived from the places, and for the room of a search. */
const DERIVED_BYTES = 20;

/** A chunk that is wanted: its object, and how many records it must hold. */
export interface ChunkRef extends WantedObject {
  readonly stores: number;
}

/** A table that is wanted, by its key; the object it is made of, and how it is made. */
export interface TableRef {
  /** Equal for equal tables, whichever part and release they belong to. */
  readonly key: string;
  readonly ref: WantedObject;
  readonly build: (part: ArrayBuffer) => unknown;
}

/** A release whose index parts are held, as far as it matters here. */
export interface HeldRelease {
  readonly id: string;
  readonly manifest: Manifest;
  /** The table of this key if it is in memory, else undefined. */
  heldTable(key: string): unknown;
  /** Which chunks it consists of; null while that is not in memory. */
  readonly heldChunkTable: ChunkTable | null;
}

export class SnapshotMemory {
  private readonly objects: ObjectReader;
  private readonly tableLoads = new SharedLoads<unknown>();
  private readonly chunkLoads = new SharedLoads<Chunk>();
  private readonly chunks: ByteBudgetCache<Chunk>;
  private readonly dropped = new DroppedChunks();
  /** Releases whose parts are held. */
  private releases: readonly HeldRelease[] = [];
  /** Bytes that somebody else holds. */
  private asideBytes = 0;

  constructor(source: SnapshotSource) {
    this.objects = new ObjectReader(source, LOADING_BYTES);
    this.chunks = new ByteBudgetCache(
      chunkBudget([], 0),
      ({ bytes }) => bytes.byteLength,
      (chunk, hash) => this.dropped.drop(chunk, hash),
    );
  }

  /**
   * Says which releases are held from now on, and gives chunks the room that these leave. Chunks of a
   * release that went, and of no other, go too: else each publication would leave some behind, until
   * the room is full of what nobody asks for.
   */
  hold(releases: readonly HeldRelease[]): void {
    const hasLess = this.releases.some((release) => !releases.includes(release));
    this.releases = releases;
    if (hasLess) this.dropUnlisted();
    this.chunks.resize(chunkBudget(releases, this.asideBytes));
  }

  /** Says how many bytes are held elsewhere from now on: they are taken from the room of chunks. */
  setAside(bytes: number): void {
    this.asideBytes = bytes;
    this.chunks.resize(chunkBudget(this.releases, bytes));
  }

  /** The table of this key that any held release has, or undefined. */
  sharedTable(key: string): unknown {
    for (const release of this.releases) {
      const table = release.heldTable(key);
      if (table !== undefined) return table;
    }
    return undefined;
  }

  /**
   * Reads the parts of tables, all at once, and builds the tables; by key.
   * @param patience milliseconds to wait at the most
   * @throws ProblemError storage_unreachable, SnapshotFormatError
   */
  async readTables(
    wanted: readonly TableRef[],
    background: Background,
    patience: number,
  ): Promise<ReadonlyMap<string, unknown>> {
    const known = new Map(wanted.map((table) => [table.key, table]));
    const begin: BeginReads<unknown> = (keys, begun) => {
      const tables = keys.map((key) => known.get(key) as TableRef);
      const refs = new Map(tables.map(({ ref }) => [ref.hash, ref]));
      const reads = this.objects.read([...refs.values()], background, { apart: true, begun });
      return new Map(keys.map((key) => [key, buildTable(known.get(key) as TableRef, reads)]));
    };
    return this.tableLoads.load([...known.keys()], begin, background, patience);
  }

  /**
   * Reads objects, all at once, for somebody who shares them with nobody; by name.
   * @param refs each object once
   * Rejections: ProblemError storage_unreachable.
   */
  async readForOne(
    refs: readonly WantedObject[],
    background: Background,
  ): Promise<ReadonlyMap<string, ArrayBuffer>> {
    if (refs.length === 0) return new Map();
    const reads = this.objects.read(refs, background, { apart: true });
    const values = await Promise.all(
      refs.map(({ hash }) => reads.get(hash) as Promise<ArrayBuffer>),
    );
    return new Map(refs.map(({ hash }, index) => [hash, values[index] as ArrayBuffer]));
  }

  /** Keeps chunks from being given back until the function that it returns is called. */
  borrow(refs: readonly ChunkRef[]): () => void {
    const page = this.dropped.beginPage(refs.map(({ hash }) => hash));
    return () => this.dropped.endPage(page);
  }

  /** Whether a chunk is in memory; asking is no use of it. */
  holdsChunk(hash: string): boolean {
    return this.chunks.has(hash) || this.dropped.get(hash) !== undefined;
  }

  /** A chunk that is in memory, or undefined. */
  heldChunk(hash: string): Chunk | undefined {
    return this.chunks.get(hash) ?? this.dropped.get(hash);
  }

  /**
   * Reads chunks, together; keeps them; returns them by name.
   * @throws ProblemError storage_unreachable, SnapshotFormatError
   */
  readChunks(
    refs: readonly ChunkRef[],
    background: Background,
  ): Promise<ReadonlyMap<string, Chunk>> {
    const known = new Map(refs.map((ref) => [ref.hash, ref]));
    const begin: BeginReads<Chunk> = (hashes, begun) => {
      const wanted = hashes.map((hash) => known.get(hash) as ChunkRef);
      const reads = this.objects.read(wanted, background, { begun });
      return new Map(wanted.map((ref) => [ref.hash, this.keep(ref, reads)]));
    };
    return this.chunkLoads.load([...known.keys()], begin, background);
  }

  /** Once it is known of every held release which chunks it has. */
  private dropUnlisted(): void {
    const tables = this.releases.map(({ heldChunkTable }) => heldChunkTable);
    if (tables.length === 0 || tables.includes(null)) return;
    const unlisted = new Set(this.chunks.keys());
    for (const table of tables) {
      for (const hash of table?.listed(unlisted) ?? []) unlisted.delete(hash);
    }
    for (const hash of unlisted) this.chunks.delete(hash);
  }

  private async keep(
    { hash, stores }: ChunkRef,
    reads: ReadonlyMap<string, Promise<ArrayBuffer>>,
  ): Promise<Chunk> {
    const chunk = new Chunk((await reads.get(hash)) as ArrayBuffer, stores);
    this.chunks.set(hash, chunk);
    return chunk;
  }
}

async function buildTable(
  { ref, build }: TableRef,
  reads: ReadonlyMap<string, Promise<ArrayBuffer>>,
): Promise<unknown> {
  return build((await reads.get(ref.hash)) as ArrayBuffer);
}

/**
 * Bytes for chunks beside the indexes of `releases`. Where chunks come and go, pages hold some that
 * were dropped, and those of lost pages wait for the collector; so a release that does not fit gets
 * half of the room. What is set aside is taken from that as a whole: as more of it is kept, an isolate
 * holds no more than before.
 */
function chunkBudget(releases: readonly HeldRelease[], asideBytes: number): number {
  const room = ISOLATE_BYTES - HEAP_BYTES - LOADING_BYTES - indexBytes(releases);
  const fits = releases.every(({ manifest }) => manifest.chunkBytes <= room - asideBytes);
  return Math.max(0, (fits ? room : room / 2) - asideBytes);
}

/** What releases may come to hold, whichever requests come; what they share counts once. */
function indexBytes(releases: readonly HeldRelease[]): number {
  const parts = new Map<string, number>();
  let derived = 0;
  for (const { manifest } of new Map(releases.map((release) => [release.id, release])).values()) {
    const own = Object.entries(manifest.parts).filter(
      ([name]) => !TOOL_PARTS.includes(name) && !isComparedPart(name),
    );
    for (const [, { hash, bytes }] of own) parts.set(hash, bytes);
    derived += manifest.locationCount * DERIVED_BYTES;
  }
  const indexed = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
  // A release that is there to fall back on has no orders.
  return indexed + derived + Math.min(ORDER_BYTES, indexed);
}
