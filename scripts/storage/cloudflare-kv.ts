/** Snapshots in a Workers KV namespace of Cloudflare's platform, reached through its API. */
import { sha256 } from '../../src/hash.ts';
import type { CloudflareApi } from './cloudflare-api.ts';
import { forEachInFlight } from './in-flight.ts';
import type { BeforeRepeat, SnapshotTarget, Upload } from './key-value-store.ts';
import { checkPair, planBatches } from './kv-limits.ts';
import { KvNamespace } from './kv-namespace.ts';
import { WrittenValues } from './written-values.ts';

/** Batches under way at once: a batch and its body in base64 are in memory together. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Milliseconds between readings of a value that KV does not show yet. It is eventually consistent,
 * within a minute or more: two are given.
 */
const CONSISTENCY_WAITS = [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15].map((each) => each * 1000);

/** Listings are as late as values, and nobody can tell when they are not. */
const SETTLING_TIME = CONSISTENCY_WAITS.reduce((sum, each) => sum + each, 0);

export class RemoteKvTarget implements SnapshotTarget {
  private readonly api: CloudflareApi;
  private readonly namespace: KvNamespace;
  private readonly written = new WrittenValues();

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.namespace = new KvNamespace(api, namespaceId);
  }

  list(prefix: string): AsyncIterable<string> {
    return this.namespace.keys(prefix);
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

  async put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void> {
    await this.namespace.put(key, bytes, beforeRepeat);
    await this.remember(key, bytes);
  }

  async delete(key: string): Promise<void> {
    await this.namespace.delete(key);
    this.written.noteDeleted(key);
  }

  async settle(): Promise<void> {
    await this.api.wait(SETTLING_TIME, 'KV may list late what was written or deleted');
  }

  async putAll(uploads: readonly Upload[], stored: (upload: Upload) => void): Promise<void> {
    for (const upload of uploads) checkPair(upload);
    await forEachInFlight(planBatches(uploads), BATCHES_IN_FLIGHT, (batch) =>
      this.putBatch(batch, stored),
    );
  }

  async deleteAll(keys: readonly string[]): Promise<void> {
    await this.namespace.deleteAll(keys);
    for (const key of keys) this.written.noteDeleted(key);
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

  private async read(key: string) {
    const bytes = await this.namespace.get(key);
    return { bytes, hash: bytes && (await sha256(bytes)) };
  }

  private async remember(key: string, bytes: Uint8Array): Promise<void> {
    this.written.noteWritten(key, await sha256(bytes));
  }
}
