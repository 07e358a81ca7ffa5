/**
 * A Workers KV namespace of Cloudflare's platform, reached through its API. That wants many pairs as JSON
 * with values in base64. Those that are stored as base64 anyway are marked, so that the API stores the
 * text as it is.
 */
import * as z from 'zod';
import { CommandError } from '../cli/command-error.ts';
import { CloudflareApiError } from './api-answer.ts';
import { type ApiRequest, ATTEMPTS, type CloudflareApi } from './cloudflare-api.ts';
import {
  base64Length,
  decodeKvValue,
  forEachInFlight,
  isLargeObject,
  isStoredAsBase64,
  type KvStore,
  type ReadValues,
  readLength,
  storedKvSize,
  type ValueSize,
} from './key-value-store.ts';
import { secondsFor } from './pace.ts';

interface KvPair {
  readonly key: string;
  readonly value: Uint8Array;
}

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

const VALUE_BYTES = 25 * 1024 * 1024;

/** Of a bulk read, by its answer. */
const READ_LIMITS: BatchLimits = { body: 25_000_000, items: 100 };

/**
 * Of a bulk write. The API takes 100 MB a request. This much holds the largest value (25 MiB are
 * 35 MB in base64), and little enough that repeating a request that failed costs little.
 */
const WRITE_LIMITS: BatchLimits = { body: 36_000_000, items: 10_000 };

/** What stands around a pair in the body of a bulk write, its key aside: names, signs and a length. */
const FRAME_BYTES = 80;

/**
 * Requests of any publication: the id of the token; the pointer, the time of the last run, and what is
 * compared with the live release and the one of a day ago; then the release, the pointer and the time.
 */
const OTHER_REQUESTS = 8;

const keysSchema = z.array(z.object({ name: z.string(), metadata: z.unknown().optional() }));
const valuesSchema = z.object({ values: z.record(z.string(), z.string().nullable()) });

/** What a bulk request came to. Older answers lack the counts, or the whole result. */
const bulkResultSchema = z
  .object({
    successful_key_count: z.number().optional(),
    unsuccessful_keys: z.array(z.string()).nullish(),
  })
  .nullish();

const encoder = new TextEncoder();

export function cloudflareKv(api: CloudflareApi, namespaceId: string) {
  const namespace = `${api.account}/storage/kv/namespaces/${encodeURIComponent(namespaceId)}`;

  async function get(key: string): Promise<Uint8Array | null> {
    const purpose = `read ${key} from KV`;
    const path = `${namespace}/values/${encodeURIComponent(key)}`;
    try {
      return decodeKvValue(key, await api.bytes({ purpose, method: 'GET', path }));
    } catch (error) {
      if (error instanceof CloudflareApiError && error.isMissingKey) return null;
      throw error;
    }
  }

  function deleteAll(keys: readonly string[]): Promise<void> {
    return sendBulk(keys, (left) => {
      const purpose = `delete ${left.size} keys from KV`;
      const path = `${namespace}/bulk/delete`;
      return { purpose, method: 'POST', path, body: encodeJson([...left]) };
    });
  }

  async function putAll<Upload extends ValueSize>(
    uploads: readonly Upload[],
    read: ReadValues<Upload>,
    stored?: (upload: Upload) => void,
  ): Promise<void> {
    for (const upload of uploads) checkSize(upload);
    const batches = cutIntoBatches(uploads, WRITE_LIMITS);
    await forEachInFlight(batches, BATCHES_IN_FLIGHT, async (batch) => {
      const values = await read(batch);
      const pairs = batch.map((upload, index) => {
        return { ...upload, value: values[index] as Uint8Array };
      });
      const keys = batch.map(({ key }) => key);
      await sendBulk(keys, (left) => {
        const purpose = `write ${left.size} values to KV`;
        const body = bulkBody(pairs.filter(({ key }) => left.has(key)));
        return { purpose, method: 'PUT', path: `${namespace}/bulk`, body };
      });
      for (const upload of batch) stored?.(upload);
    });
  }

  /**
   * Sends what fits into one request, and again those keys that the API says it left undone.
   * @throws CommandError bulk_incomplete when some are left after all attempts
   */
  async function sendBulk(
    keys: readonly string[],
    requestFor: (left: ReadonlySet<string>) => ApiRequest,
  ): Promise<void> {
    let left: ReadonlySet<string> = new Set(keys);
    let incomplete: CommandError | null = null;
    const attempt = async () => {
      const { result } = await api.json(requestFor(left), bulkResultSchema);
      left = unsuccessful(left, result);
      const [example] = left;
      if (example === undefined) return;
      const what = `left ${left.size} keys undone, such as ${example}`;
      const message = `Cloudflare's API ${what}, in each of ${ATTEMPTS} attempts`;
      const details = { keys: [...left] };
      incomplete = new CommandError(message, 'bulk_incomplete', { details });
      throw incomplete;
    };
    await api.repeat(attempt, (error) => error === incomplete);
  }

  return {
    /** It is eventually consistent, within a minute or more: two are given. */
    lateness: 120_000,
    now: api.now,
    get,

    async *list(prefix) {
      const purpose = `list the keys of KV below ${prefix}`;
      const path = `${namespace}/keys`;
      let query: Record<string, string> = { prefix };
      for (;;) {
        const page = await api.json({ purpose, method: 'GET', path, query }, keysSchema);
        for (const { name, metadata } of page.result) {
          yield { key: name, bytes: readLength(metadata) };
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

    price(uploads, sample) {
      const writes = cutIntoBatches(uploads, WRITE_LIMITS).length;
      const requests = writes + cutIntoBatches(sample, READ_LIMITS).length + OTHER_REQUESTS;
      return { requests, seconds: secondsFor(requests), freeWrites: FREE_WRITES };
    },
  } satisfies KvStore;
}

/** Checks a size. @throws CommandError when the value is beyond what KV takes */
function checkSize(value: ValueSize): void {
  const stored = storedKvSize(value);
  if (stored <= VALUE_BYTES) return;
  throw new CommandError(
    `the value of ${value.key} is too large for KV: ${stored} bytes, at most ${VALUE_BYTES}`,
  );
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
  return base64Length(bytes) + 2 * key.length + FRAME_BYTES;
}

/** Encodes the body of a bulk write. */
export function bulkBody(pairs: readonly KvPair[]): Uint8Array {
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

/** Returns the keys that have to be sent again; all of them when the answer's counts do not add up. */
function unsuccessful(
  sent: ReadonlySet<string>,
  result: z.infer<typeof bulkResultSchema>,
): ReadonlySet<string> {
  const failed = new Set(result?.unsuccessful_keys);
  const done = result?.successful_key_count ?? sent.size - failed.size;
  return done + failed.size >= sent.size && [...failed].every((key) => sent.has(key))
    ? failed
    : sent;
}

function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}
