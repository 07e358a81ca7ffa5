/** A Workers KV namespace of Cloudflare's platform, reached through its API. */
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';
import { CloudflareApiError } from './api-answer.ts';
import type { ApiRequest, CloudflareApi } from './cloudflare-api.ts';
import { forEachInFlight } from './in-flight.ts';
import type { KvKey, KvStore, Price, ReadValues, ValueSize } from './key-value-store.ts';
import {
  bulkBody,
  bulkResultSchema,
  bytesInJson,
  checkSize,
  countRequests,
  cutIntoBatches,
  DELETE_LIMITS,
  type KvPair,
  READ_LIMITS,
  unsuccessful,
  WRITE_LIMITS,
} from './kv-limits.ts';
import { decodeKvValue, isLargeObject, readLength } from './kv-value.ts';
import { secondsFor } from './pace.ts';

/** Batches under way at once: a batch and its body in base64 are in memory together. */
const BATCHES_IN_FLIGHT = 2;

/** Writes of a day of the free plan. */
const FREE_WRITES = 1_000;

const keysSchema = z.array(z.object({ name: z.string(), metadata: z.unknown().optional() }));
const valuesSchema = z.object({ values: z.record(z.string(), z.string().nullable()) });

const encoder = new TextEncoder();

export class CloudflareKv implements KvStore {
  /** It is eventually consistent, within a minute or more: two are given. */
  readonly lateness = 120_000;
  private readonly api: CloudflareApi;
  private readonly path: string;

  constructor(api: CloudflareApi, namespaceId: string) {
    this.api = api;
    this.path = `${api.account}/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;
  }

  async *list(prefix: string): AsyncGenerator<KvKey> {
    const purpose = `list the keys of KV below ${prefix}`;
    const path = `${this.path}/keys`;
    let query: Record<string, string> = { prefix };
    for (;;) {
      const page = await this.api.json({ purpose, method: 'GET', path, query }, keysSchema);
      for (const { name, metadata } of page.result) {
        yield { key: name, bytes: readLength(metadata), metadata };
      }
      if (page.cursor === null) return;
      query = { prefix, cursor: page.cursor };
    }
  }

  async get(key: string): Promise<Uint8Array | null> {
    const purpose = `read ${key} from KV`;
    const path = `${this.path}/values/${encodeURIComponent(key)}`;
    try {
      return decodeKvValue(key, await this.api.bytes({ purpose, method: 'GET', path }));
    } catch (error) {
      if (error instanceof CloudflareApiError && error.isMissingKey) return null;
      throw error;
    }
  }

  /** Values travel together as text, which is what all but large objects are in KV. */
  async getAll(values: readonly ValueSize[]): Promise<(Uint8Array | null)[]> {
    const found = new Map<string, Uint8Array | null>();
    await forEachInFlight(values.filter(isLargeObject), BATCHES_IN_FLIGHT, async ({ key }) => {
      found.set(key, await this.get(key));
    });
    const texts = values.filter((value) => !isLargeObject(value));
    const batches = cutIntoBatches(texts, bytesInJson, READ_LIMITS);
    const path = `${this.path}/bulk/get`;
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      const purpose = `read ${batch.length} values from KV`;
      const body = encodeJson({ keys: batch.map(({ key }) => key), type: 'text' });
      const { result } = await this.api.json({ purpose, method: 'POST', path, body }, valuesSchema);
      for (const [key, text] of Object.entries(result.values)) {
        if (text !== null) found.set(key, decodeKvValue(key, encoder.encode(text)));
      }
    });
    return values.map(({ key }) => found.get(key) ?? null);
  }

  now(): number {
    return this.api.now();
  }

  /** By the bulk route, the only one that takes metadata beside bytes of any kind. */
  async put(key: string, bytes: Uint8Array, metadata?: object): Promise<void> {
    checkSize({ key, size: bytes.length });
    await this.putBatch([{ key, bytes, metadata }]);
  }

  async putAll<Upload extends ValueSize>(
    uploads: readonly Upload[],
    read: ReadValues<Upload>,
    stored?: (upload: Upload) => void,
  ): Promise<void> {
    for (const upload of uploads) checkSize(upload);
    const batches = cutIntoBatches(uploads, bytesInJson, WRITE_LIMITS);
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      const values = await read(batch);
      const pairs = batch.map((upload, place) => ({
        ...upload,
        bytes: values[place] as Uint8Array,
      }));
      await this.putBatch(pairs, stored);
    });
  }

  delete(key: string): Promise<void> {
    return this.deleteAll([key]);
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
  }

  price(objects: number, bytes: number): Price {
    const requests = countRequests(objects, bytes);
    return { requests, seconds: secondsFor(requests), freeWrites: FREE_WRITES };
  }

  private putBatch<Pair extends KvPair>(
    pairs: readonly Pair[],
    stored?: (pair: Pair) => void,
  ): Promise<void> {
    const path = `${this.path}/bulk`;
    const requestFor = (left: readonly Pair[]): ApiRequest => {
      const purpose = `write ${left.length} values to KV`;
      return { purpose, method: 'PUT', path, body: bulkBody(left) };
    };
    return this.sendBulk(pairs, requestFor, stored);
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
      incomplete = new CommandError(
        `Cloudflare's API ${what}, in each of ${count} attempts`,
        'bulk_incomplete',
        {
          details: { keys: [...keys] },
        },
      );
      throw incomplete;
    };
    await this.api.repeat(attempt, undefined, (error) => error === incomplete);
  }
}

function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
