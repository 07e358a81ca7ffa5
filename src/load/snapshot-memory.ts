/**
 * What an isolate holds of snapshots, within its 128 MiB:
 *
 *     heap         HEAP_BYTES     code, small objects, texts on their way; garbage, buffers included
 *     on its way   LOADING_BYTES  objects that are being read, and answers being written
 *     index        what the held releases weigh: the parts that queries need, orders, and the columns
 *                  that queries fill
 *     set aside    what was worked out and is kept: the changes between releases
 *     chunks       the rest
 *
 * So a directory of 2,500 stores, 35 MB of chunks, stays whole, and at 100,000 stores the chunks
 * that are used most do. Objects are shared by name: what two releases have in common is held once.
 */

import { BudgetCache } from '../cache/budget-cache.ts';
import { CHUNKS_PART, type Chunk, type ChunkTable, readChunk } from '../snapshot/chunks.ts';
import type { Part } from '../snapshot/column-file.ts';
import { type Manifest, type ObjectRef, UNHELD_PARTS } from '../snapshot/manifest.ts';
import { MAX_WAIT, type ReadContext, type SnapshotSource } from '../storage/reading.ts';
import { ObjectReader, type WantedObject } from './object-reader.ts';
import { SharedReads } from './shared-reads.ts';

const MIB = 1024 * 1024;

const ISOLATE_BYTES = 128 * MIB;
const HEAP_BYTES = 76 * MIB;
const LOADING_BYTES = 12 * MIB;

/** Orders of stores that a release keeps: at 100,000 stores one takes 400 kB. */
export const ORDER_BYTES = 4 * MIB;

/** Bytes per store for the columns that queries fill (`query/scratch.ts`): they are there for good. */
export const COLUMN_BYTES = 41;

/** A chunk that is wanted: its object, and how many records it must hold. */
export interface ChunkRef extends WantedObject {
  readonly stores: number;
}

/** A release whose index parts are held, as far as it matters here. */
export interface HeldRelease {
  readonly manifest: Manifest;
  /** Returns the table of this key (see `tableKey`) if it is in memory, else undefined. */
  heldTable(key: string): unknown;
}

/** Returns what a table is known by: its object, and what is made of it. */
export function tableKey({ name, kind = name }: Part, { hash }: ObjectRef): string {
  return `${kind} ${hash}`;
}

/** The use of chunks by one page, from when it asks for them until it is disposed. */
interface PageUse extends Disposable {
  /** Names of the chunks, in memory or to come. */
  readonly hashes: Set<string>;
  /** When it ends even if it is not disposed, in milliseconds since 1970: its request may have been ended. */
  readonly until: number;
}

/**
 * Gives back the memory of chunks that the cache has dropped, as soon as no page needs them: the garbage
 * collector would leave more of it than the heap takes.
 */
class PageChunks {
  private readonly uses = new Set<PageUse>();
  /** Chunks that were dropped while pages need them, by name: these share them. */
  private readonly dropped = new Map<string, Chunk>();

  /** Returns the use of a page, which adds the names of its chunks to it. */
  open(): PageUse {
    const now = Date.now();
    for (const { until, [Symbol.dispose]: end } of this.uses) {
      if (now < until) break;
      end();
    }
    const use = {
      hashes: new Set<string>(),
      until: now + 2 * MAX_WAIT,
      [Symbol.dispose]: () => {
        this.uses.delete(use);
        for (const [hash, chunk] of this.dropped) if (use.hashes.has(hash)) this.drop(chunk, hash);
      },
    };
    this.uses.add(use);
    return use;
  }

  /** Returns a dropped chunk that a page still uses. */
  get(hash: string): Chunk | undefined {
    return this.dropped.get(hash);
  }

  /** Takes a chunk that the cache has dropped. */
  drop(chunk: Chunk, hash: string): void {
    for (const { hashes } of this.uses) {
      if (!hashes.has(hash)) continue;
      this.dropped.set(hash, chunk);
      return;
    }
    this.dropped.delete(hash);
    // Gives the memory back: moves the content into a new buffer of no bytes.
    chunk.bytes.buffer.transfer(0);
  }
}

export class SnapshotMemory {
  readonly objects: ObjectReader;
  readonly pages = new PageChunks();
  /** Reads of tables, by their keys. */
  readonly tableReads = new SharedReads((key) => this.heldTable(key));
  private readonly chunks: BudgetCache<Chunk>;
  private readonly chunkReads = new SharedReads(
    (hash) => this.chunks.peek(hash) ?? this.pages.get(hash),
  );
  /** Releases whose parts are held. */
  private releases: readonly HeldRelease[] = [];
  /** Bytes held by cached change sets. */
  private asideBytes = 0;

  constructor(source: SnapshotSource) {
    this.objects = new ObjectReader(source, LOADING_BYTES);
    this.chunks = new BudgetCache(
      chunkBudget([], 0),
      ({ bytes }) => bytes.byteLength,
      (chunk, hash) => this.pages.drop(chunk, hash),
    );
  }

  /**
   * Says which releases are held from now on, and gives chunks the room that these leave. Chunks of a
   * release that went, and of no other, go too: else each publication would leave some behind, until
   * the room is full of what is never asked for.
   */
  hold(...wanted: readonly (HeldRelease | undefined)[]): void {
    const releases = wanted.filter((release) => release !== undefined);
    const hasLess = this.releases.some((release) => !releases.includes(release));
    this.releases = releases;
    if (hasLess) this.dropUnlisted();
    this.resize();
  }

  /** Says how many bytes cached change sets take from now on: they come from the room of chunks. */
  setAside(bytes: number): void {
    this.asideBytes = bytes;
    this.resize();
  }

  /** Returns a chunk that is in memory, or undefined. Counts as a use. */
  heldChunk(hash: string): Chunk | undefined {
    return this.chunks.get(hash) ?? this.pages.get(hash);
  }

  /**
   * Returns chunks by name, those that are missing read together and kept. Open a use of `pages` before:
   * without one they may be dropped at once.
   * @throws ProblemError storage_unreachable, SnapshotFormatError
   */
  loadChunks(
    refs: ReadonlyMap<string, ChunkRef>,
    context: ReadContext,
  ): Promise<ReadonlyMap<string, Chunk>> {
    const start = (hashes: readonly string[]) => {
      const wanted = hashes.map((hash) => refs.get(hash) as ChunkRef);
      const reads = this.objects.read(wanted, context);
      return reads?.map((read, index) => this.keepChunk(wanted[index] as ChunkRef, read));
    };
    return this.chunkReads.load(refs.keys(), start, context);
  }

  private async keepChunk(ref: ChunkRef, read: Promise<ArrayBuffer>): Promise<Chunk> {
    const chunk = readChunk(await read, ref.stores);
    this.chunks.set(ref.hash, chunk);
    return chunk;
  }

  /** Returns the table of this key that any held release has, or undefined. */
  private heldTable(key: string): unknown {
    for (const release of this.releases) {
      const table = release.heldTable(key);
      if (table !== undefined) return table;
    }
    return undefined;
  }

  /** Drops chunks that no held release has, once it is known of each which it has. */
  private dropUnlisted(): void {
    const unlisted = new Set(this.chunks.keys());
    for (const { manifest } of this.releases) {
      const part = manifest.parts[CHUNKS_PART.name];
      const table = part && this.heldTable(tableKey(CHUNKS_PART, part));
      if (table === undefined) return;
      const { chunkCount, hash } = table as ChunkTable;
      for (let chunk = 0; chunk < chunkCount; chunk++) unlisted.delete(hash(chunk));
    }
    for (const hash of unlisted) this.chunks.delete(hash);
  }

  private resize(): void {
    this.chunks.resize(chunkBudget(this.releases, this.asideBytes));
  }
}

/**
 * Returns the bytes for chunks beside the indexes of `releases`. Where chunks come and go, waiting pages
 * hold dropped ones; so a release that does not fit gets half of the room. All of what is set aside is
 * taken from that, so that an isolate never holds more because of it.
 */
function chunkBudget(releases: readonly HeldRelease[], asideBytes: number): number {
  const room = ISOLATE_BYTES - HEAP_BYTES - LOADING_BYTES - indexBytes(releases);
  const fits = releases.every(({ manifest }) => manifest.chunkBytes <= room - asideBytes);
  return Math.max(0, (fits ? room : room / 2) - asideBytes);
}

/** Returns the most bytes that releases may come to hold. What they share counts once. */
function indexBytes(releases: readonly HeldRelease[]): number {
  const parts = new Map<string, number>();
  let columns = 0;
  const manifests = new Map(releases.map(({ manifest }) => [manifest.release, manifest]));
  for (const manifest of manifests.values()) {
    const own = Object.entries(manifest.parts).filter(([name]) => !UNHELD_PARTS.includes(name));
    for (const [, { hash, bytes }] of own) parts.set(hash, bytes);
    columns = Math.max(columns, manifest.storeCount * COLUMN_BYTES);
  }
  const indexed = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
  // A release that is there to fall back on has no orders.
  return indexed + columns + Math.min(ORDER_BYTES, indexed);
}
