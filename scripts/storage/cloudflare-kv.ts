/** A Workers KV namespace of Cloudflare's platform, reached through its API. */
import { sha256 } from '../../src/hash.ts';
import type { CloudflareApi } from './cloudflare-api.ts';
import { forEachInFlight } from './in-flight.ts';
import type { Guard, KvKey, KvStore, Price, Upload, UploadSize } from './key-value-store.ts';
import { checkPair, planBatches } from './kv-limits.ts';
import { BYTES_PER_READ, KEYS_PER_READ, KvNamespace } from './kv-namespace.ts';
import { WrittenValues } from './written-values.ts';

/** Batches under way at once: a batch and its body in base64 are in memory together. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Milliseconds between readings of a value that KV does not show yet. It is eventually consistent,
 * within a minute or more: two are given.
 */
const CONSISTENCY_WAITS = [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15].map((each) => each * 1000);

/** Writes of a day of the free plan. */
const FREE_WRITES = 1_000;

/** The most keys of a page of a list. */
const KEYS_PER_LIST = 1_000;

/** Of what is uploaded, about so much is read back. */
const SAMPLE_SHARE = 1 / 50;

/**
 * Requests of any publication: the id of the token; the pointer, the time of the last run, and what is
 * compared with the live release and the one of a day ago; then the release, the pointer and the time.
 */
const OTHER_REQUESTS = 8;

/** How long a value is taken to be where nobody said so: few of them to a bulk read. */
const UNKNOWN_LENGTH = BYTES_PER_READ / 10;

export class CloudflareKv implements KvStore {
  readonly lateness = CONSISTENCY_WAITS.reduce((sum, each) => sum + each, 0);
  private readonly api: CloudflareApi;
  private readonly namespace: KvNamespace;
  private readonly written = new WrittenValues();
  /** Lengths that lists and uploads told of, for bulk reads have a limit of bytes. */
  private readonly lengths = new Map<string, number>();

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.namespace = new KvNamespace(api, namespaceId);
  }

  async *list(prefix: string): AsyncGenerator<KvKey> {
    for await (const stored of this.namespace.list(prefix)) {
      if (stored.bytes !== null) this.lengths.set(stored.key, stored.bytes);
      yield stored;
    }
  }

  /** What was written here is waited for; if KV never shows it, what it shows in the end. */
  async get(key: string): Promise<Uint8Array | null> {
    let { bytes, hash } = await this.read(key);
    for (const wait of CONSISTENCY_WAITS) {
      if (!this.written.isLate(key, hash)) break;
      await this.api.wait(wait, `KV does not show ${key} yet`);
      ({ bytes, hash } = await this.read(key));
    }
    this.written.noteRead(key, hash);
    return bytes;
  }

  async getAll(
    keys: readonly string[],
    lengths: ReadonlyMap<string, number> = new Map(),
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    for (const [key, length] of lengths) this.lengths.set(key, length);
    const values = new Map<string, Uint8Array>();
    await forEachInFlight(this.planReads(keys), BATCHES_IN_FLIGHT, async (batch) => {
      for (const [key, bytes] of await this.namespace.getBatch(batch)) values.set(key, bytes);
    });
    // One by one, for that waits for what was written here.
    const late = keys.filter((key) => !values.has(key) && this.written.isLate(key, null));
    for (const key of late) {
      const bytes = await this.get(key);
      if (bytes) values.set(key, bytes);
    }
    return values;
  }

  now(): number {
    return this.api.now();
  }

  async put(key: string, bytes: Uint8Array, metadata?: object): Promise<void> {
    await this.namespace.put(key, bytes, metadata);
    await this.remember(key, bytes);
  }

  async delete(key: string, guard?: Guard): Promise<void> {
    await this.namespace.delete(key, guard);
    this.written.noteDeleted(key);
  }

  async putAll(
    uploads: readonly Upload[],
    stored: (upload: Upload) => void,
  ): Promise<readonly (readonly string[])[]> {
    for (const upload of uploads) checkPair(upload);
    const batches = planBatches(uploads);
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, (batch) => this.putBatch(batch, stored));
    return batches.map((batch) => batch.map(({ key }) => key));
  }

  async deleteAll(keys: readonly string[], guard?: Guard): Promise<void> {
    await this.namespace.deleteAll(keys, guard);
    for (const key of keys) this.written.noteDeleted(key);
  }

  price(uploads: readonly UploadSize[], listed: number): Price {
    const writes = planBatches(uploads).length;
    const lists = Math.ceil(listed / KEYS_PER_LIST);
    // A sample of what was uploaded is read back.
    const reads = Math.ceil((uploads.length * SAMPLE_SHARE) / KEYS_PER_READ);
    const requests = writes + lists + reads + OTHER_REQUESTS;
    return { requests, seconds: this.api.secondsFor(requests), freeWrites: FREE_WRITES };
  }

  private async putBatch(
    batch: readonly Upload[],
    stored: (upload: Upload) => void,
  ): Promise<void> {
    const uploads = new Map(batch.map((upload) => [upload.key, upload]));
    const pairs = await Promise.all(
      batch.map(async ({ key, read }) => ({ key, bytes: await read() })),
    );
    await this.namespace.putBatch(pairs, (key) => {
      const upload = uploads.get(key);
      if (upload) stored(upload);
    });
    await Promise.all(pairs.map(({ key, bytes }) => this.remember(key, bytes)));
  }

  /** Cuts keys into bulk reads, each within what one may ask for and answer with. */
  private planReads(keys: readonly string[]): string[][] {
    const reads: string[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const key of keys) {
      // Base64, and the JSON around it.
      const length = ((this.lengths.get(key) ?? UNKNOWN_LENGTH) * 4) / 3 + 2 * key.length;
      const isFull = reads.at(-1)?.length === KEYS_PER_READ || bytes + length > BYTES_PER_READ;
      if (isFull) {
        reads.push([]);
        bytes = 0;
      }
      reads.at(-1)?.push(key);
      bytes += length;
    }
    return reads;
  }

  private async read(key: string) {
    const bytes = await this.namespace.get(key);
    return { bytes, hash: bytes && (await sha256(bytes)) };
  }

  private async remember(key: string, bytes: Uint8Array): Promise<void> {
    this.lengths.set(key, bytes.length);
    this.written.noteWritten(key, await sha256(bytes));
  }
}
