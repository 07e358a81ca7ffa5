/** The sealed JSON in which entries, pointers, releases and records of tokens are written. */
import type * as z from 'zod';
import { readSealed, sealJson } from '../../src/sealed-json.ts';

export function encodeJson(value: object): Uint8Array {
  return new TextEncoder().encode(sealJson(value));
}

/** The document in `bytes`; null when there is none, a damaged one, or not what `schema` expects. */
export function parseJson<T>(bytes: Uint8Array | null, schema: z.ZodType<T>): T | null {
  if (!bytes) return null;
  try {
    return readSealed(new TextDecoder().decode(bytes), schema);
  } catch {
    return null;
  }
}
