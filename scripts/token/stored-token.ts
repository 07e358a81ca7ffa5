/**
 * Tokens as they are stored: a record each, and beside it a rotation where there was one. The record of a token
 * that is revoked stays, so that its holder is told and the list shows it.
 */
import {
  publicId,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
  tokenKey,
} from '../../src/auth/token.ts';
import {
  endOfLife,
  type Rotation,
  rotationSchema,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';
import { CommandError } from '../cli/command-error.ts';
import {
  encodeJson,
  getAll,
  type KvStore,
  listKeys,
  parseJson,
} from '../storage/key-value-store.ts';

/** Bytes that a record is taken to have at most: what a bulk read may answer with is limited. */
const RECORD_BYTES = 32_768;

/** What is stored of a token, and what it goes by. */
export interface StoredToken {
  /** Public. */
  readonly id: string;
  readonly hash: string;
  /** Null when it is damaged, or its rotation: such a token is refused. */
  readonly record: TokenRecord | null;
  readonly rotation: Rotation | null;
  /** Public ids of the tokens that were issued in its place. */
  readonly replacedBy: readonly string[];
}

/** A token whose record is sound. */
export type ReadableToken = StoredToken & { readonly record: TokenRecord };

/** What commands tell of a token, never its secret or its hash. */
export type TokenFacts = ReturnType<typeof factsOf>;

/** Returns every token, the oldest first. */
export async function readTokens(store: KvStore): Promise<StoredToken[]> {
  const keys = await listKeys(store, TOKEN_KEY_PREFIX);
  const hashes = keys
    .filter((key) => !key.endsWith(ROTATION_KEY_SUFFIX))
    .map((key) => key.slice(TOKEN_KEY_PREFIX.length));
  // Rotations are asked for, listed or not: lists are late.
  const wanted = hashes.flatMap((hash) => [tokenKey(hash), rotationKey(hash)]);
  const values = await getAll(
    store,
    wanted.map((key) => ({ key, bytes: RECORD_BYTES })),
  );
  const found = hashes.flatMap((hash, index) => {
    const [record = null, rotation = null] = values.slice(2 * index, 2 * index + 2);
    // It was deleted since it was listed.
    return record ? [{ id: publicId(hash), hash, ...parseStored(record, rotation) }] : [];
  });
  found.sort((a, b) => createdAt(a) - createdAt(b) || (a.hash < b.hash ? -1 : 1));
  const successors = Map.groupBy(found, ({ record }) => record?.replaces);
  return found.map((token) => {
    return { ...token, replacedBy: (successors.get(token.id) ?? []).map(({ id }) => id) };
  });
}

/**
 * Returns the only token whose public id begins with `start`, as it is stored now.
 * @throws CommandError token_unknown, token_ambiguous
 */
export async function findToken(store: KvStore, start: string): Promise<StoredToken> {
  const tokens = await readTokens(store);
  const [token, ...others] = tokens.filter(({ id }) => id.startsWith(start));
  if (!token) {
    throw new CommandError(`no token has the id ${start} here`, 'token_unknown', {
      explanation: 'One that was issued on another machine may be missing from lists for a minute.',
    });
  }
  if (others.length === 0) return token;
  const ids = [token, ...others].map(({ id }) => id);
  throw new CommandError(`the id ${start} is ambiguous: ${ids.join(', ')}`, 'token_ambiguous', {
    details: { ids },
  });
}

/** Returns the facts of a token at `now`, milliseconds since 1970: that a damaged one is refused. */
export function factsOf(token: StoredToken, now: number) {
  const { id, record } = token;
  return record ? knownFactsOf({ ...token, record }, now) : { id, state: 'damaged' as const };
}

/** Returns the same of a token whose record is sound. */
export function knownFactsOf(token: ReadableToken, now: number) {
  const { id, record, rotation, replacedBy } = token;
  const { version: _, ...facts } = record;
  // By its record or by a rotation, whichever is sooner.
  const expiresAt = endOfLife(record.expiresAt, rotation);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  const end = isOver ? 'expired' : 'active';
  const state: typeof end | 'revoked' = record.revokedAt === null ? end : 'revoked';
  return { id, state, ...facts, expiresAt, replacedBy };
}

/** Writes a record. */
export function writeRecord(
  store: KvStore,
  { hash, record }: Pick<ReadableToken, 'hash' | 'record'>,
): Promise<void> {
  return store.put(tokenKey(hash), encodeJson(record));
}

/**
 * Returns the token, and whether it had been revoked before: nothing was changed then.
 * @param id its public id, or the first digits of it
 * @throws CommandError token_unknown, token_ambiguous, token_damaged
 */
export async function revokeToken(store: KvStore, id: string) {
  const found = await findToken(store, id);
  const { record } = found;
  if (!record) {
    const message = `the record of token ${found.id} is damaged: the token is refused already`;
    throw new CommandError(message, 'token_damaged');
  }
  const readable = { ...found, record };
  const wasRevoked = record.revokedAt !== null;
  const token = wasRevoked ? readable : await writeRevocation(store, readable);
  return { token: knownFactsOf(token, store.now()), wasRevoked };
}

/**
 * Writes a revocation into the record of a token: the only change that a record ever sees, so that
 * a writer that read it late takes nothing else back.
 */
export async function writeRevocation(
  store: KvStore,
  token: ReadableToken,
): Promise<ReadableToken> {
  const record = { ...token.record, revokedAt: new Date(store.now()).toISOString() };
  const revoked = { ...token, record };
  await writeRecord(store, revoked);
  return revoked;
}

/** Reads a record and its rotation. The record is null when either is damaged: such a token is refused. */
function parseStored(recordBytes: Uint8Array, rotationBytes: Uint8Array | null) {
  const rotation = parseJson(rotationBytes, rotationSchema);
  const isDamaged = rotationBytes !== null && rotation === null;
  return { record: isDamaged ? null : parseJson(recordBytes, tokenRecordSchema), rotation };
}

/** Returns when a token was issued, for sorting: damaged ones come first. */
function createdAt({ record }: Pick<StoredToken, 'record'>): number {
  return record ? Date.parse(record.createdAt) : 0;
}
