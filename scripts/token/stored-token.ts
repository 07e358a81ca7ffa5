/** Tokens as they are stored: a record each, beside it a rotation where there was one. */
import {
  publicId,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
  tokenKey,
} from '../../src/auth/token.ts';
import {
  parseRotation,
  parseTokenRecord,
  type Rotation,
  type TokenRecord,
  TokenRecordError,
} from '../../src/auth/token-record.ts';
import { sealJson } from '../../src/sealed-json.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import {
  type RotationSummary,
  readRotationSummary,
  readSummary,
  type TokenSummary,
} from './token-summary.ts';

/** A token as a list shows it, without a value read. */
export interface TokenEntry {
  readonly id: string;
  readonly hash: string;
  /** Null where what was put beside the record can't be read: the record itself tells then. */
  readonly summary: TokenSummary | null;
  /** Undefined: it was never rotated; null: it was, and when that ends it has to be read. */
  readonly rotation: RotationSummary | null | undefined;
}

/** A token as it was read. */
export interface StoredToken {
  readonly id: string;
  readonly hash: string;
  /** Null when the record, or the rotation, is damaged: such a token is refused. */
  readonly record: TokenRecord | null;
  readonly rotation: Rotation | null;
  /** Public id of the token that it was issued in the place of. */
  readonly replaces: string | null;
}

/** Every token whose hash begins with `start`. */
export async function listEntries(store: KvStore, start = ''): Promise<TokenEntry[]> {
  const keys = await Array.fromAsync(store.list(tokenKey(start)));
  const rotations = new Map<string, RotationSummary | null>();
  for (const { key, metadata } of keys) {
    if (isRotation(key)) rotations.set(hashOf(key), readRotationSummary(metadata));
  }
  return keys
    .filter(({ key }) => !isRotation(key))
    .map(({ key, metadata }) => {
      const hash = hashOf(key);
      const summary = readSummary(metadata);
      return { id: publicId(hash), hash, summary, rotation: rotations.get(hash) };
    });
}

/** Reads what is stored of a token; null when its record was deleted since it was listed. */
export async function readToken(
  store: KvStore,
  { id, hash, summary }: TokenEntry,
): Promise<StoredToken | null> {
  const [record, rotation] = await Promise.all([
    readText(store, tokenKey(hash)),
    readText(store, rotationKey(hash)),
  ]);
  if (record === null) return null;
  const replaces = summary?.replaces ?? null;
  try {
    return {
      id,
      hash,
      record: parseTokenRecord(record),
      rotation: rotation === null ? null : parseRotation(rotation),
      replaces,
    };
  } catch (error) {
    if (!(error instanceof TokenRecordError)) throw error;
    return { id, hash, record: null, rotation: null, replaces };
  }
}

/** Writes a record, or a rotation. @param summary what lists show of it, at most 1,024 bytes as JSON */
export async function writeStored(
  store: KvStore,
  key: string,
  stored: TokenRecord | Rotation,
  summary: object,
): Promise<void> {
  await store.put(key, new TextEncoder().encode(sealJson(stored)), summary);
}

async function readText(store: KvStore, key: string): Promise<string | null> {
  const bytes = await store.get(key);
  return bytes && new TextDecoder().decode(bytes);
}

function isRotation(key: string): boolean {
  return key.endsWith(ROTATION_KEY_SUFFIX);
}

function hashOf(key: string): string {
  const end = isRotation(key) ? -ROTATION_KEY_SUFFIX.length : undefined;
  return key.slice(TOKEN_KEY_PREFIX.length, end);
}
