/**
 * A Workers KV namespace of Cloudflare's platform, reached through its API. That wants many pairs as JSON
 * with values in base64. Those that are stored as base64 anyway are marked, so that the API stores the
 * text as it is.
 */
import * as z from 'zod';
import { CloudflareError, PASSING } from './api-answer.ts';
import type { ApiRequest, CloudflareApi } from './cloudflare-api.ts';
import {
  decodeKvValue,
  forEachInFlight,
  isLargeObject,
  isStoredAsBase64,
  type KvStore,
  type ReadValues,
  type ValueSize,
} from './key-value-store.ts';

interface BatchLimits {
  /** Bytes of a request's body, or of its answer. */
  readonly body: number;
  /** Keys or pairs. */
  readonly items: number;
}

/** Batches under way at once: a batch and its body in base64 are in memory together. */
const BATCHES_IN_FLIGHT = 2;

/** Writes of a day of the free plan. */
const FREE_WRITES = 1_000;

/** Of a bulk read, by its answer. */
export const READ_LIMITS: BatchLimits = { body: 25_000_000, items: 100 };

/**
 * Of a bulk write. The API takes 100 MB a request. This much holds the largest value (25 MiB are
 * 35 MB in base64), and little enough that repeating a request that failed costs little.
 */
export const WRITE_LIMITS: BatchLimits = { body: 36_000_000, items: 10_000 };

/** What stands around a pair in the body of a bulk write, its key aside: names, signs and a length. */
const FRAME_BYTES = 80;

const keysSchema = z.array(
  z.object({
    name: z.string(),
    /** Others may have written the key. */
    metadata: z.object({ bytes: z.number() }).nullish().catch(null),
  }),
);
const valuesSchema = z.object({ values: z.record(z.string(), z.string().nullable()) });

/** What a bulk request came to. Older answers lack the list, or the whole result. */
const bulkResultSchema = z.object({ unsuccessful_keys: z.array(z.string()).nullish() }).nullish();

const encoder = new TextEncoder();

export function cloudflareKv(api: CloudflareApi, namespaceId: string) {
  const namespace = `${api.access.account}/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;

  async function get(key: string): Promise<Uint8Array | null> {
    const purpose = `read ${key} from KV`;
    const path = `${namespace}/values/${encodeURIComponent(key)}`;
    const value = await api.repeat((signal) => api.ask({ purpose, method: 'GET', path }, signal));
    return value && decodeKvValue(key, value);
  }

  function deleteAll(keys: readonly string[]): Promise<void> {
    return sendBulk(keys, (left) => {
      const purpose = `delete ${left.length} keys from KV`;
      return { purpose, method: 'POST', path: `${namespace}/bulk/delete`, body: encodeJson(left) };
    });
  }

  async function putAll<Upload extends ValueSize>(
    uploads: readonly Upload[],
    read: ReadValues<Upload>,
    stored?: (upload: Upload) => void,
  ): Promise<void> {
    const batches = cutIntoBatches(uploads, WRITE_LIMITS);
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      const values = await read(batch);
      const pairs = batch.map((upload, index) => {
        return { ...upload, value: values[index] as Uint8Array };
      });
      const keys = batch.map(({ key }) => key);
      await sendBulk(keys, (left) => {
        const purpose = `write ${left.length} values to KV`;
        const wanted = new Set(left);
        const body = bulkBody(pairs.filter(({ key }) => wanted.has(key)));
        return { purpose, method: 'PUT', path: `${namespace}/bulk`, body };
      });
      for (const upload of batch) stored?.(upload);
    });
  }

  /** Sends what fits into one request, and again those keys that the API says it left undone. */
  async function sendBulk(
    keys: readonly string[],
    requestFor: (left: readonly string[]) => ApiRequest,
  ): Promise<void> {
    let left = keys;
    await api.repeat(async (signal) => {
      const request = requestFor(left);
      const { result } = await api.jsonOnce(request, bulkResultSchema, signal);
      left = result?.unsuccessful_keys ?? [];
      if (left.length === 0) return;
      const what = `left ${left.length} keys undone, such as ${left[0]}`;
      throw new CloudflareError(request.purpose, what, PASSING);
    });
  }

  return {
    /** It is eventually consistent, within a minute or more: two are given. */
    lateness: 120_000,
    now: api.now,
    freeWrites: FREE_WRITES,
    get,

    async *list(prefix) {
      const purpose = `list the keys of KV below ${prefix}`;
      const path = `${namespace}/keys`;
      let query: Record<string, string> = { prefix };
      for (;;) {
        const page = await api.json({ purpose, method: 'GET', path, query }, keysSchema);
        for (const { name, metadata } of page.result) {
          yield { key: name, bytes: metadata?.bytes ?? null };
        }
        if (page.cursor === null) return;
        query = { prefix, cursor: page.cursor };
      }
    },

    /** Values travel together as text, which is what all but large objects are in KV. */
    async getAll(values: readonly ValueSize[]) {
      const found = new Map<string, Uint8Array | null>();
      await forEachInFlight(values.filter(isLargeObject), BATCHES_IN_FLIGHT, async ({ key }) => {
        found.set(key, await get(key));
      });
      const texts = values.filter((value) => !isLargeObject(value));
      const batches = cutIntoBatches(texts, READ_LIMITS);
      const path = `${namespace}/bulk/get`;
      await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
        const purpose = `read ${batch.length} values from KV`;
        const body = encodeJson({ keys: batch.map(({ key }) => key), type: 'text' });
        const { result } = await api.json({ purpose, method: 'POST', path, body }, valuesSchema);
        for (const [key, text] of Object.entries(result.values)) {
          if (text !== null) found.set(key, decodeKvValue(key, encoder.encode(text)));
        }
      });
      return values.map(({ key }) => found.get(key) ?? null);
    },

    /** By the bulk route, the only one that takes metadata beside bytes of any kind. */
    put: (key: string, bytes: Uint8Array) =>
      putAll([{ key, bytes: bytes.length }], async () => [bytes]),

    putAll,
    delete: (key) => deleteAll([key]),
    deleteAll,
  } satisfies KvStore;
}

/**
 * Cuts values into batches, in their order, each within the limits. One that is larger than a body may
 * be gets a batch of its own.
 */
export function cutIntoBatches<Value extends ValueSize>(
  values: readonly Value[],
  limits: BatchLimits,
): Value[][] {
  const batches: Value[][] = [];
  let left = 0;
  for (const value of values) {
    const bytes = bytesInJson(value);
    const batch = batches.at(-1);
    if (batch && batch.length < limits.items && bytes <= left) {
      batch.push(value);
    } else {
      batches.push([value]);
      left = limits.body;
    }
    left -= bytes;
  }
  return batches;
}

/** Returns the most that a value takes in the JSON of a bulk write, or of the answer to a bulk read. */
function bytesInJson({ key, bytes }: ValueSize): number {
  return 4 * Math.ceil(bytes / 3) + 2 * key.length + FRAME_BYTES;
}

/** Encodes the body of a bulk write. */
export function bulkBody(
  pairs: readonly { readonly key: string; readonly value: Uint8Array }[],
): Uint8Array {
  const all = pairs.map(({ key, value }) => {
    const { length: bytes } = value;
    // `base64` asks the API to decode the value before it stores it. Lists show the metadata beside the key.
    return {
      key,
      value: value.toBase64(),
      base64: !isStoredAsBase64({ key, bytes }),
      metadata: { bytes },
    };
  });
  return encodeJson(all);
}

function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
