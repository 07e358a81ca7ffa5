/**
 * A release in the memory of an isolate. The store table is always there; other index parts and
 * chunks are read when a request first needs them, and values (never promises, which belong to
 * the request that made them) are kept.
 */
import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import type { Language } from '../model/enumerations.ts';
import { SnapshotFormatError } from '../snapshot/format-error.ts';
import { IdTable } from '../snapshot/id-table.ts';
import {
  IDS_PART,
  PLACES_PART,
  type ReleaseColumn,
  rankPart,
  SLUGS_PART,
  STORES_PART,
  TREE_PART,
} from '../snapshot/index-parts.ts';
import type { Manifest } from '../snapshot/manifest.ts';
import { PlaceTable } from '../snapshot/place-table.ts';
import { type RankColumn, readRankColumn } from '../snapshot/rank-column.ts';
import { Chunk } from '../snapshot/record-reader.ts';
import { SlugTable } from '../snapshot/slug-table.ts';
import { StoreTable } from '../snapshot/store-table.ts';
import type { ObjectReader } from './object-reader.ts';

/** Computed orders of stores: at 100,000 stores one takes 400 kB. */
const ORDER_BUDGET_BYTES = 8 * 1024 * 1024;

export type ChunkCache = ByteBudgetCache<Chunk>;

export class LoadedRelease {
  readonly manifest: Manifest;
  readonly publishedAt: Date;
  /** `publishedAt` as headers write it. */
  readonly lastModified: string;
  readonly stores: StoreTable;
  /** Orders of stores that queries have computed, by what they depend on. */
  readonly orders = new ByteBudgetCache<Uint32Array>(ORDER_BUDGET_BYTES, (o) => o.byteLength);
  private readonly objects: ObjectReader;
  private readonly chunks: ChunkCache;
  private readonly rankColumns = new Map<string, RankColumn>();
  /** Hashes as text, made when first asked for. */
  private readonly chunkHashes: string[] = [];
  private placeTable: PlaceTable | undefined;
  private idTable: IdTable | undefined;
  private slugTable: SlugTable | undefined;

  private constructor(
    manifest: Manifest,
    publishedAt: Date,
    stores: StoreTable,
    objects: ObjectReader,
    chunks: ChunkCache,
  ) {
    this.manifest = manifest;
    this.publishedAt = publishedAt;
    this.lastModified = publishedAt.toUTCString();
    this.stores = stores;
    this.objects = objects;
    this.chunks = chunks;
  }

  /**
   * Reads what every request needs.
   * @throws ProblemError storage_unreachable, SnapshotFormatError
   */
  static async load(
    manifest: Manifest,
    publishedAt: Date,
    objects: ObjectReader,
    chunks: ChunkCache,
  ): Promise<LoadedRelease> {
    const stores = new StoreTable(await readPart(manifest, STORES_PART, objects));
    return new LoadedRelease(manifest, publishedAt, stores, objects, chunks);
  }

  get id(): string {
    return this.manifest.release;
  }

  get storeCount(): number {
    return this.stores.storeCount;
  }

  /** The locations and their tree. */
  async places(): Promise<PlaceTable> {
    if (this.placeTable) return this.placeTable;
    const [places, tree] = await Promise.all([this.part(PLACES_PART), this.part(TREE_PART)]);
    this.placeTable = new PlaceTable(places, tree, this.storeCount);
    return this.placeTable;
  }

  /** The ids. */
  async ids(): Promise<IdTable> {
    this.idTable ??= new IdTable(await this.part(IDS_PART), this.storeCount);
    return this.idTable;
  }

  /** The slugs. */
  async slugs(): Promise<SlugTable> {
    this.slugTable ??= new SlugTable(await this.part(SLUGS_PART), this.storeCount);
    return this.slugTable;
  }

  /** The ranks of all stores under a sort column; names are ranked per language. */
  async ranks(column: ReleaseColumn, language: Language | null): Promise<RankColumn> {
    if (column === 'id') return this.stores.idRanks();
    if (column === 'slug') return (await this.slugs()).ranks();
    const name = rankPart(column, language);
    return this.rankColumns.get(name) ?? this.readRanks(name);
  }

  /** The chunk that holds the record of each of `stores`, in the same order. */
  chunksOf(stores: ArrayLike<number>): Chunk[] | Promise<Chunk[]> {
    const held: (Chunk | undefined)[] = new Array(stores.length);
    let missing = false;
    for (let index = 0; index < stores.length; index++) {
      const number = this.stores.recordChunk[stores[index] as number] as number;
      const chunk = this.chunks.get(this.chunkHash(number));
      held[index] = chunk;
      missing ||= chunk === undefined;
    }
    return missing ? this.readMissing(stores, held) : (held as Chunk[]);
  }

  /** Reads the parts that `other` has in memory, so that taking over from it slows no request. */
  async warmUpLike(other: LoadedRelease): Promise<void> {
    if (other.placeTable) await this.places();
    if (other.idTable) await this.ids();
    if (other.slugTable) await this.slugs();
    for (const name of other.rankColumns.keys()) await this.readRanks(name);
  }

  private async readRanks(name: string): Promise<RankColumn> {
    const ranks = readRankColumn(name, await this.part(name), this.storeCount);
    this.rankColumns.set(name, ranks);
    return ranks;
  }

  private async readMissing(
    stores: ArrayLike<number>,
    held: readonly (Chunk | undefined)[],
  ): Promise<Chunk[]> {
    const reads = new Map<number, Promise<Chunk>>();
    const chunks = held.map((chunk, index) => {
      if (chunk) return chunk;
      const number = this.stores.recordChunk[stores[index] as number] as number;
      let read = reads.get(number);
      if (!read) {
        read = this.readChunk(number);
        reads.set(number, read);
      }
      return read;
    });
    return Promise.all(chunks);
  }

  private async readChunk(number: number): Promise<Chunk> {
    const hash = this.chunkHash(number);
    const bytes = this.stores.chunkLength[number] as number;
    const chunk = new Chunk(await this.objects.read({ hash, bytes }));
    this.chunks.set(hash, chunk);
    return chunk;
  }

  private chunkHash(number: number): string {
    let hash = this.chunkHashes[number];
    if (hash === undefined) {
      hash = this.stores.chunkHash(number);
      this.chunkHashes[number] = hash;
    }
    return hash;
  }

  private part(name: string): Promise<ArrayBuffer> {
    return readPart(this.manifest, name, this.objects);
  }
}

async function readPart(
  manifest: Manifest,
  name: string,
  objects: ObjectReader,
): Promise<ArrayBuffer> {
  const ref = manifest.parts[name];
  if (!ref) throw new SnapshotFormatError(`release ${manifest.release}: no part ${name}`);
  return objects.read(ref);
}
