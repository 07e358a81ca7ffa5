/** Tokens as the store holds them: read, told apart by public id, and their state. */
import { publicId } from '../../src/auth/token.ts';
import {
  parseTokenRecord,
  type TokenRecord,
  TokenRecordError,
} from '../../src/auth/token-record.ts';
import { forEachInFlight } from '../storage/in-flight.ts';
import type { TokenStore } from './token-store.ts';

/** Each costs a request to the remote storage. */
const READ_AT_ONCE = 16;

export interface StoredToken {
  readonly id: string;
  readonly hash: string;
  /** Null when the stored record is damaged; such a token is refused. */
  readonly record: TokenRecord | null;
}

export type TokenState = 'active' | 'expired' | 'revoked' | 'damaged';

/** Every token of the store whose hash begins with `start`, the oldest first. */
export async function readTokens(store: TokenStore, start = ''): Promise<StoredToken[]> {
  const tokens: StoredToken[] = [];
  await forEachInFlight(await store.hashes(start), READ_AT_ONCE, async (hash) => {
    const text = await store.read(hash);
    // Null: deleted since it was listed.
    if (text !== null) tokens.push({ id: publicId(hash), hash, record: recordOf(text) });
  });
  return tokens.sort((a, b) => createdAt(a) - createdAt(b) || (a.hash < b.hash ? -1 : 1));
}

/** Whether `token` is accepted at `now`, milliseconds since 1970, and if not, why. */
export function stateOf(token: Pick<StoredToken, 'record'>, now: number): TokenState {
  const { record } = token;
  if (!record) return 'damaged';
  if (record.revokedAt !== null) return 'revoked';
  if (record.expiresAt !== null && Date.parse(record.expiresAt) <= now) return 'expired';
  return 'active';
}

/** Damaged ones come first. */
function createdAt({ record }: StoredToken): number {
  return record ? Date.parse(record.createdAt) : 0;
}

function recordOf(text: string): TokenRecord | null {
  try {
    return parseTokenRecord(text);
  } catch (error) {
    if (error instanceof TokenRecordError) return null;
    throw error;
  }
}
