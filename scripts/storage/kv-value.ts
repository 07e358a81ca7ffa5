/**
 * Values as they lie in KV: objects as the base64 text of their bytes, because the Worker reads many
 * of them at once, which KV does for text alone. Large objects, which it reads alone, and everything
 * else lie there as they are. The metadata of a value holds its length, which lists show.
 */
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { isReadAlone } from '../../src/storage/reading.ts';
import type { ValueSize } from './key-value-store.ts';

/** Returns whether a value is stored as base64. */
export function isStoredAsBase64({ key, bytes }: ValueSize): boolean {
  return key.startsWith(OBJECT_PREFIX) && !isReadAlone(bytes);
}

/** Returns whether a value is stored as bytes that are no text, which bulk reads cannot give. */
export function isLargeObject({ key, bytes }: ValueSize): boolean {
  return key.startsWith(OBJECT_PREFIX) && isReadAlone(bytes);
}

/** Returns what is stored under `key` for `bytes`. */
export function encodeKvValue(key: string, bytes: Uint8Array): Uint8Array {
  return isStoredAsBase64({ key, bytes: bytes.length })
    ? Buffer.from(bytes.toBase64(), 'latin1')
    : bytes;
}

/**
 * Returns the bytes that are stored under `key` as `value`. An object that is no base64 comes as it is: it is a large
 * one, whose zeros are no letters of base64, or its hash tells that it is damaged.
 */
export function decodeKvValue(key: string, value: Uint8Array): Uint8Array {
  if (!key.startsWith(OBJECT_PREFIX)) return value;
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  // Node passes over what is no base64; the Worker does not.
  return bytes.toBase64() === text ? bytes : value;
}

/** Returns the length of a value as it was put, from the metadata beside it; null when that has none. */
export function readLength(metadata: unknown): number | null {
  const bytes = (metadata as { bytes?: unknown } | null | undefined)?.bytes;
  return typeof bytes === 'number' ? bytes : null;
}

/** Returns the length of what is stored for a value. */
export function storedKvSize(value: ValueSize): number {
  return isStoredAsBase64(value) ? base64Length(value.bytes) : value.bytes;
}

/** Returns the length of so many bytes in base64. */
export function base64Length(size: number): number {
  return 4 * Math.ceil(size / 3);
}
