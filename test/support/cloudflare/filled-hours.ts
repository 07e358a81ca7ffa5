/**
 * Hours of publications that were not compiled: the stand-in gets what they would have left. What a
 * list, the history and a prune meet of them is all there: as many objects, a release with its whole
 * list of chunks, an entry of the log. Only the bytes of chunks and of sort orders are not.
 */
import { createHash } from 'node:crypto';
import { Random } from '../../../fixtures/generator/random.ts';
import type { CompiledRelease } from '../../../scripts/build/compiled-release.ts';
import { COMPARED_PARTS } from '../../../scripts/guards/review-change.ts';
import { encodeJson } from '../../../scripts/release/json-documents.ts';
import {
  asBefore,
  entrySchema,
  type LogEntry,
  nameOf,
  pointerOf,
} from '../../../scripts/release/log-entry.ts';
import { listObjects } from '../../../scripts/release/objects.ts';
import { unsealJson } from '../../../src/sealed-json.ts';
import { type ChunkRow, ChunkTable, writeChunkTable } from '../../../src/snapshot/chunk-table.ts';
import {
  LAST_RUN_KEY,
  LOG_PREFIX,
  logKey,
  objectKey,
  POINTER_KEY,
  releaseKey,
} from '../../../src/snapshot/keys.ts';
import {
  CHUNKS_PART,
  HASH_DIGITS,
  type LiveRelease,
  type ObjectRef,
  objectHash,
  type PublishedManifest,
} from '../../../src/snapshot/manifest.ts';
import type { CloudflareStandIn } from './stand-in.ts';

/** How many objects an hour brings. */
export interface HourShape {
  readonly chunks: number;
  readonly parts: number;
}

/** Every object of a release that was compiled. */
export const objectsOf = ({ manifest, readObject }: CompiledRelease) =>
  listObjects(manifest, readObject);

/** What `after` has that `before` lacks. */
export async function shapeOf(before: CompiledRelease, after: CompiledRelease): Promise<HourShape> {
  const known = new Set((await objectsOf(before)).map(({ hash }) => hash));
  const parts = new Set(Object.values(after.manifest.parts).map(({ hash }) => hash));
  const fresh = (await objectsOf(after)).filter(({ hash }) => !known.has(hash));
  const freshParts = fresh.filter(({ hash }) => parts.has(hash)).length;
  return { chunks: fresh.length - freshParts, parts: freshParts };
}

/** What a release is compared by, and its list of chunks, are those of a release that was compiled. */
const REAL_PARTS = new Set<string>([...COMPARED_PARTS, CHUNKS_PART]);

/** Hours after a release that was compiled; each changes some of its chunks more. */
export class FilledHours {
  private readonly standIn: CloudflareStandIn;
  private readonly base: CompiledRelease;
  private readonly shape: HourShape;
  private readonly rows: ChunkRow[];
  private readonly random: Random;
  private made = 0;

  private constructor(
    standIn: CloudflareStandIn,
    base: CompiledRelease,
    shape: HourShape,
    rows: ChunkRow[],
  ) {
    this.standIn = standIn;
    this.base = base;
    this.shape = shape;
    this.rows = rows;
    this.random = new Random(1, Number.parseInt(base.manifest.release.slice(0, 6), 16));
  }

  static async after(
    base: CompiledRelease,
    shape: HourShape,
    standIn: CloudflareStandIn,
  ): Promise<FilledHours> {
    const { manifest } = base;
    const bytes = await base.readObject(manifest.parts[CHUNKS_PART]?.hash ?? '');
    if (!bytes) throw new Error('the release has no list of chunks');
    const table = new ChunkTable(bytes.slice().buffer as ArrayBuffer, manifest.storeCount);
    const rows = Array.from({ length: table.chunkCount }, (_, chunk) => ({
      stores: table.storesIn(chunk),
      bytes: table.lengths[chunk] as number,
      hash: table.hash(chunk),
    }));
    return new FilledHours(standIn, base, shape, rows);
  }

  /** @param now milliseconds since 1970 */
  async fill(now: number): Promise<void> {
    const release = this.newName('release').slice(0, 16);
    const { generation } = this.head().manifest;
    const parts = await this.writeObjects(generation);
    this.enter({ ...this.base.manifest, release, parts, generation }, now);
  }

  /** Fills an hour, and has the release live again that was compiled: the next one is compared with it. */
  async fillLast(now: number): Promise<void> {
    await this.fill(now - 1);
    const { generation } = this.head().manifest;
    this.enter({ ...this.base.manifest, generation }, now);
  }

  private enter(manifest: PublishedManifest, now: number): void {
    const at = new Date(now).toISOString();
    const head = this.head();
    const writes = this.shape.chunks + this.shape.parts;
    const entry: LogEntry = {
      ...{ format: manifest.format, log: head.log, number: head.number + 1, mark: at },
      ...{ kind: 'publish', manifest, newest: manifest.generation, publishedAt: at },
      ...{ by: 'hourly job', note: null, hold: null },
      ...{ before: asBefore(head), back: head.number, cost: { writes, bytes: 30_000 * writes } },
    };
    this.standIn.bucket.set(logKey(entry.number), Buffer.from(encodeJson(entry)), now);
    const release: LiveRelease = { manifest, publishedAt: at };
    const { snapshots } = this.standIn;
    const named = Buffer.from(encodeJson(release));
    snapshots.set(releaseKey(nameOf(entry)), named, { bytes: named.length });
    const pointer = Buffer.from(encodeJson(pointerOf(entry)));
    snapshots.set(POINTER_KEY, pointer, { bytes: pointer.length });
    const run = Buffer.from(encodeJson({ ranAt: at, release: manifest.release }));
    snapshots.set(LAST_RUN_KEY, run, { bytes: run.length });
  }

  /** The parts of the next release. */
  private async writeObjects(generation: string): Promise<Record<string, ObjectRef>> {
    for (let change = 0; change < this.shape.chunks; change++) {
      const place = Math.floor(this.random.fraction() * this.rows.length);
      const row = { ...(this.rows[place] as ChunkRow), hash: this.newName('chunk') };
      this.rows[place] = row;
      this.put(generation, row, '');
    }
    const table = writeChunkTable(this.rows);
    const list = { hash: await objectHash(table), bytes: table.length };
    this.put(generation, list, Buffer.from(table).toString('base64'));
    const parts: Record<string, ObjectRef> = {
      ...this.base.manifest.parts,
      [CHUNKS_PART]: list,
    };
    const names = Object.keys(parts).filter((name) => !REAL_PARTS.has(name));
    for (let part = 1; part < this.shape.parts; part++) {
      const ref = { hash: this.newName('part'), bytes: 1_000 };
      parts[names[part - 1] ?? `filled/${part}`] = ref;
      this.put(generation, ref, '');
    }
    return parts;
  }

  private put(generation: string, { hash, bytes }: ObjectRef, text: string): void {
    this.standIn.snapshots.set(objectKey(generation, hash), text, { bytes });
  }

  private newName(kind: string): string {
    const text = `${this.base.manifest.release} ${kind} ${this.made++}`;
    return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
  }

  private head(): LogEntry {
    const { objects } = this.standIn.bucket;
    const last = [...objects.keys()].filter((key) => key.startsWith(LOG_PREFIX)).sort();
    return entrySchema.parse(unsealJson(String(objects.get(last.at(-1) ?? ''))));
  }
}
