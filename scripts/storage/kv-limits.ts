/**
 * What a KV namespace takes, and how its API wants many pairs: as JSON with values in base64. Those
 * that are stored as base64 anyway are marked, so that the API stores the text as it is.
 */
import { CommandError } from '../cli/command-error.ts';
import {
  base64Length,
  isStoredAsBase64,
  lengthMetadata,
  storedKvSize,
  toBase64,
} from './kv-value.ts';

export interface KvPair {
  readonly key: string;
  readonly bytes: Uint8Array;
  /** What lists show beside the key; by default the length. */
  readonly metadata?: object;
}

/** A pair by its measures. */
export interface KvPairSize {
  readonly key: string;
  /** Length of the bytes, before they are encoded. */
  readonly size: number;
}

export interface BatchLimits {
  /** Bytes of a request's body. */
  readonly body: number;
  readonly pairs: number;
}

const KEY_BYTES = 512;
const VALUE_BYTES = 25 * 1024 * 1024;

/** Keys or pairs of one bulk request. */
export const KEYS_PER_REQUEST = 10_000;

/**
 * The API takes 100 MB a request. This much holds the largest value (25 MiB are 35 MB in base64),
 * and little enough that repeating a request that failed costs little.
 */
export const BATCH_LIMITS: BatchLimits = { body: 36_000_000, pairs: KEYS_PER_REQUEST };

const encoder = new TextEncoder();

/** @throws CommandError when the pair is beyond what KV takes */
export function checkPair({ key, size }: KvPairSize): void {
  const keyBytes = encoder.encode(key).length;
  if (keyBytes > KEY_BYTES) {
    throw new CommandError(
      `key ${key} is too long for KV: ${keyBytes} bytes, at most ${KEY_BYTES}`,
    );
  }
  const stored = storedKvSize(key, size);
  if (stored > VALUE_BYTES) {
    throw new CommandError(
      `the value of ${key} is too large for KV: ${stored} bytes, at most ${VALUE_BYTES}`,
    );
  }
}

/**
 * Cuts pairs into batches, in their order, each within the limits. A pair that is larger than a body
 * may be gets a batch of its own.
 */
export function planBatches<Pair extends KvPairSize>(
  pairs: Iterable<Pair>,
  limits: BatchLimits = BATCH_LIMITS,
): Pair[][] {
  const batches: Pair[][] = [];
  let batch: Pair[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    const pairBytes = bodyBytes(pair);
    const isFull = batch.length === limits.pairs || bytes + pairBytes > limits.body;
    if (batch.length === 0 || isFull) {
      batch = [];
      batches.push(batch);
      bytes = '[]'.length;
    }
    batch.push(pair);
    bytes += pairBytes;
  }
  return batches;
}

/** The body of a bulk write. */
export function bulkBody(pairs: readonly KvPair[]): Uint8Array {
  return encoder.encode(
    JSON.stringify(
      pairs.map(({ key, bytes, metadata }) =>
        bulkPair(key, toBase64(bytes), metadata ?? lengthMetadata(bytes.length)),
      ),
    ),
  );
}

/** What a pair adds to the body of a bulk write, the comma after it included. */
function bodyBytes({ key, size }: KvPairSize): number {
  const frame = encoder.encode(JSON.stringify(bulkPair(key, '', lengthMetadata(size)))).length;
  return frame + base64Length(size) + ','.length;
}

function bulkPair(key: string, value: string, metadata: object) {
  // `base64` asks the API to decode the value before it stores it.
  return { key, value, base64: !isStoredAsBase64(key), metadata };
}
