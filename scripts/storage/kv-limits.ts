/**
 * What a KV namespace takes, and how its API wants many pairs: as JSON with values in base64. Those
 * that are stored as base64 anyway are marked, so that the API stores the text as it is.
 */
import { z } from 'zod';
import { CommandError } from '../cli/command-error.ts';
import type { ValueSize } from './key-value-store.ts';
import { base64Length, isStoredAsBase64, storedKvSize } from './kv-value.ts';

export interface KvPair {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** What lists show beside the key; by default the length. */
  readonly metadata?: object | undefined;
}

interface BatchLimits {
  /** Bytes of a request's body, or of its answer. */
  readonly body: number;
  /** Keys or pairs. */
  readonly items: number;
}

const VALUE_BYTES = 25 * 1024 * 1024;

/** Of a bulk deletion. */
export const DELETE_LIMITS: BatchLimits = { body: Number.POSITIVE_INFINITY, items: 10_000 };

/** Of a bulk read, by its answer. */
export const READ_LIMITS: BatchLimits = { body: 25_000_000, items: 100 };

/**
 * Of a bulk write. The API takes 100 MB a request. This much holds the largest value (25 MiB are
 * 35 MB in base64), and little enough that repeating a request that failed costs little.
 */
export const WRITE_LIMITS: BatchLimits = { body: 36_000_000, items: 10_000 };

/** What stands around a pair in the body of a bulk write, its key aside: names, signs and a length. */
const FRAME_BYTES = 80;

/** The same with the key of an object, about. */
const PAIR_BYTES = 250;

/** Of what is uploaded, about so much is read back. */
const SAMPLE_SHARE = 1 / 50;

/**
 * Requests of any publication: the id of the token; the pointer, the time of the last run, and what is
 * compared with the live release and the one of a day ago; then the release, the pointer and the time.
 */
const OTHER_REQUESTS = 8;

/** @throws CommandError when the value is beyond what KV takes */
export function checkSize(value: ValueSize): void {
  const stored = storedKvSize(value);
  if (stored <= VALUE_BYTES) return;
  throw new CommandError(
    `the value of ${value.key} is too large for KV: ${stored} bytes, at most ${VALUE_BYTES}`,
  );
}

/**
 * Cuts items into batches, in their order, each within the limits. One that is larger than a body may
 * be gets a batch of its own.
 */
export function cutIntoBatches<Item>(
  items: Iterable<Item>,
  bytesOf: (item: Item) => number,
  limits: BatchLimits,
): Item[][] {
  const batches: Item[][] = [];
  let left = 0;
  for (const item of items) {
    const bytes = bytesOf(item);
    const batch = batches.at(-1);
    if (batch && batch.length < limits.items && bytes <= left) {
      batch.push(item);
    } else {
      batches.push([item]);
      left = limits.body;
    }
    left -= bytes;
  }
  return batches;
}

/** The most that a value takes in the JSON of a bulk write, or of the answer to a bulk read. */
export function bytesInJson({ key, size }: ValueSize): number {
  return base64Length(size) + 2 * key.length + FRAME_BYTES;
}

/** The body of a bulk write. */
export function bulkBody(pairs: readonly KvPair[]): Uint8Array {
  const all = pairs.map(({ key, bytes, metadata = { bytes: bytes.length } }) => {
    // `base64` asks the API to decode the value before it stores it.
    const base64 = !isStoredAsBase64({ key, size: bytes.length });
    return { key, value: bytes.toBase64(), base64, metadata };
  });
  return new TextEncoder().encode(JSON.stringify(all));
}

/** How many requests it takes, about, to publish these objects. */
export function countRequests(objects: number, bytes: number): number {
  const reads = Math.ceil((objects * SAMPLE_SHARE) / READ_LIMITS.items);
  const writes = Math.ceil((base64Length(bytes) + objects * PAIR_BYTES) / WRITE_LIMITS.body);
  return writes + reads + OTHER_REQUESTS;
}

/** What a bulk request came to. Older answers lack the counts, or the whole result. */
export const bulkResultSchema = z
  .object({
    successful_key_count: z.number().optional(),
    unsuccessful_keys: z.array(z.string()).nullish(),
  })
  .nullish();

/** The keys that have to be sent again; all of them when the answer's counts do not add up. */
export function unsuccessful(
  sent: ReadonlySet<string>,
  result: z.infer<typeof bulkResultSchema>,
): ReadonlySet<string> {
  const failed = new Set(result?.unsuccessful_keys);
  const done = result?.successful_key_count ?? sent.size - failed.size;
  return done + failed.size >= sent.size && [...failed].every((key) => sent.has(key))
    ? failed
    : sent;
}
