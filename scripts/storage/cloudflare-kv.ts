/** A Workers KV namespace of Cloudflare's platform, reached through its API. */
import { z } from 'zod';
import { sha256 } from '../../src/hash.ts';
import { CommandError } from '../cli/command-error.ts';
import { unlessMissing } from './api-answer.ts';
import type { ApiRequest, CloudflareApi } from './cloudflare-api.ts';
import { forEachInFlight } from './in-flight.ts';
import type { KvKey, KvStore, Price, Upload, UploadSize } from './key-value-store.ts';
import {
  bulkBody,
  bulkResultSchema,
  checkPair,
  countRequests,
  cutIntoBatches,
  DELETE_LIMITS,
  KEYS_PER_LIST,
  type KvPair,
  planBatches,
  READ_LIMITS,
  unsuccessful,
} from './kv-limits.ts';
import { base64Length, decodeKvValue, readLength } from './kv-value.ts';

/** Batches under way at once: a batch and its body in base64 are in memory together. */
const BATCHES_IN_FLIGHT = 2;

/**
 * Milliseconds between readings of a value that KV does not show yet. It is eventually consistent,
 * within a minute or more: two are given.
 */
const CONSISTENCY_WAITS = [1, 2, 4, 8, 15, 15, 15, 15, 15, 15, 15].map((each) => each * 1000);

/** Writes of a day of the free plan. */
const FREE_WRITES = 1_000;

/** How long a value is taken to be where it is unknown: few of them to a bulk read. */
const UNKNOWN_LENGTH = READ_LIMITS.body / 10;

const keysSchema = z.array(z.object({ name: z.string(), metadata: z.unknown().optional() }));
const valuesSchema = z.object({ values: z.record(z.string(), z.string().nullable()) });

const encoder = new TextEncoder();

export class CloudflareKv implements KvStore {
  readonly lateness = CONSISTENCY_WAITS.reduce((sum, each) => sum + each, 0);
  private readonly api: CloudflareApi;
  private readonly path: string;
  /** Lengths that lists and uploads told of, for bulk reads have a limit of bytes. */
  private readonly lengths = new Map<string, number>();
  /** SHA-256 of what was written here last, by key. */
  private readonly written = new Map<string, string>();
  /** And of what was there before, which KV may show for a minute or more. */
  private readonly before = new Map<string, Set<string>>();

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.path = `${api.account}/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;
  }

  async *list(prefix: string): AsyncGenerator<KvKey> {
    let cursor: string | null = null;
    do {
      const from: Record<string, string> = cursor === null ? {} : { cursor };
      const query = { prefix, limit: String(KEYS_PER_LIST), ...from };
      const purpose = `list the keys of KV below ${prefix}`;
      const path = `${this.path}/keys`;
      const page = await this.api.json({ purpose, method: 'GET', path, query }, keysSchema);
      for (const { name, metadata } of page.result) {
        const bytes = readLength(metadata);
        if (bytes !== null) this.lengths.set(name, bytes);
        yield { key: name, bytes, metadata };
      }
      cursor = page.cursor;
    } while (cursor !== null);
  }

  /** What was written here is waited for; if KV never shows it, what it shows in the end. */
  async get(key: string): Promise<Uint8Array | null> {
    let { bytes, hash } = await this.read(key);
    for (const wait of CONSISTENCY_WAITS) {
      if (!this.isLate(key, hash)) break;
      await this.api.wait(wait, `KV does not show ${key} yet`);
      ({ bytes, hash } = await this.read(key));
    }
    if (hash !== null && !this.written.has(key)) this.noteBefore(key, hash);
    return bytes;
  }

  async getAll(
    keys: readonly string[],
    lengths: ReadonlyMap<string, number> = new Map(),
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    for (const [key, length] of lengths) this.lengths.set(key, length);
    // In the JSON around it a key stands twice at most.
    const bytesOf = (key: string) =>
      base64Length(this.lengths.get(key) ?? UNKNOWN_LENGTH) + 2 * key.length;
    const batches = cutIntoBatches(keys, bytesOf, READ_LIMITS);
    const values = new Map<string, Uint8Array>();
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      for (const [key, bytes] of await this.readBatch(batch)) values.set(key, bytes);
    });
    // One by one, for that waits for what was written here.
    const late = keys.filter((key) => !values.has(key) && this.isLate(key, null));
    for (const key of late) {
      const bytes = await this.get(key);
      if (bytes) values.set(key, bytes);
    }
    return values;
  }

  now(): number {
    return this.api.now();
  }

  /** By the bulk route, the only one that takes metadata beside bytes of any kind. */
  async put(key: string, bytes: Uint8Array, metadata?: object): Promise<void> {
    checkPair({ key, size: bytes.length });
    await this.putBatch([{ key, bytes, ...(metadata && { metadata }) }]);
  }

  async putAll(
    uploads: readonly Upload[],
    stored: (upload: Upload) => void,
  ): Promise<readonly (readonly string[])[]> {
    for (const upload of uploads) checkPair(upload);
    const batches = planBatches(uploads);
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      const read = async (upload: Upload) => ({ ...upload, bytes: await upload.read() });
      await this.putBatch(await Promise.all(batch.map(read)), stored);
    });
    return batches.map((batch) => batch.map(({ key }) => key));
  }

  async delete(key: string): Promise<void> {
    const purpose = `delete ${key} from KV`;
    const path = this.routeOf(key);
    await unlessMissing(this.api.json({ purpose, method: 'DELETE', path }, z.unknown()));
    this.written.delete(key);
  }

  async deleteAll(keys: readonly string[]): Promise<void> {
    const all = keys.map((key) => ({ key }));
    for (const batch of cutIntoBatches(all, () => 0, DELETE_LIMITS)) {
      await this.sendBulk(batch, (left) => {
        const body = encodeJson(left.map(({ key }) => key));
        const purpose = `delete ${left.length} keys from KV`;
        return { purpose, method: 'POST', path: `${this.path}/bulk/delete`, body };
      });
    }
    for (const key of keys) this.written.delete(key);
  }

  price(uploads: readonly UploadSize[], listed: number): Price {
    const requests = countRequests(uploads, listed);
    return { requests, seconds: this.api.secondsFor(requests), freeWrites: FREE_WRITES };
  }

  private async putBatch<Pair extends KvPair>(
    pairs: readonly Pair[],
    stored?: (pair: Pair) => void,
  ): Promise<void> {
    const requestFor = (left: readonly Pair[]): ApiRequest => {
      const purpose = `write ${left.length} values to KV`;
      return { purpose, method: 'PUT', path: `${this.path}/bulk`, body: bulkBody(left) };
    };
    await this.sendBulk(pairs, requestFor, stored);
    for (const { key, bytes } of pairs) {
      const last = this.written.get(key);
      if (last !== undefined) this.noteBefore(key, last);
      this.lengths.set(key, bytes.length);
      this.written.set(key, await sha256(bytes));
    }
  }

  /**
   * Sends what fits into one request, and again those that the API says it left undone.
   * @param done told of each item once it is done
   * @throws CommandError bulk_incomplete when some are left after all attempts
   */
  private async sendBulk<Item extends { readonly key: string }>(
    items: readonly Item[],
    requestFor: (left: readonly Item[]) => ApiRequest,
    done: (item: Item) => void = () => {},
  ): Promise<void> {
    let left = items;
    let incomplete: CommandError | null = null;
    const attempt = async (count: number) => {
      const { result } = await this.api.json(requestFor(left), bulkResultSchema);
      const keys = unsuccessful(new Set(left.map(({ key }) => key)), result);
      for (const item of left) if (!keys.has(item.key)) done(item);
      left = left.filter(({ key }) => keys.has(key));
      const [example] = keys;
      if (example === undefined) return;
      const what = `left ${keys.size} keys undone, such as ${example}`;
      incomplete = new CommandError(`Cloudflare's API ${what}, in each of ${count} attempts`, {
        code: 'bulk_incomplete',
        details: { keys: [...keys] },
      });
      throw incomplete;
    };
    await this.api.repeat(attempt, undefined, (error) => error === incomplete);
  }

  private async read(key: string) {
    const purpose = `read ${key} from KV`;
    const path = this.routeOf(key);
    const value = await unlessMissing(this.api.bytes({ purpose, method: 'GET', path }));
    const bytes = value && decodeKvValue(key, value);
    return { bytes, hash: bytes && (await sha256(bytes)) };
  }

  /** Values travel as text here, which is what objects are in KV; keys that KV does not know are left out. */
  private async readBatch(keys: readonly string[]): Promise<readonly [string, Uint8Array][]> {
    const purpose = `read ${keys.length} values from KV`;
    const body = encodeJson({ keys, type: 'text' });
    const path = `${this.path}/bulk/get`;
    const { result } = await this.api.json({ purpose, method: 'POST', path, body }, valuesSchema);
    return Object.entries(result.values).flatMap(([key, text]) =>
      text === null ? [] : [[key, decodeKvValue(key, encoder.encode(text))]],
    );
  }

  /** Whether KV shows (null: nothing) what was there before a key was written here, not another writer's value. */
  private isLate(key: string, shown: string | null): boolean {
    const written = this.written.get(key);
    if (written === undefined || shown === written) return false;
    return shown === null || this.before.get(key)?.has(shown) === true;
  }

  private noteBefore(key: string, hash: string): void {
    this.before.set(key, (this.before.get(key) ?? new Set()).add(hash));
  }

  private routeOf(key: string): string {
    return `${this.path}/values/${encodeURIComponent(key)}`;
  }
}

function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
