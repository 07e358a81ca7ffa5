/**
 * Tokens as they are stored: a record each, and beside it a rotation where there was one. They are read, issued,
 * revoked, and replaced by others, which leaves partners time to change over. The record of a token that is revoked
 * stays, so that its holder is told and the list shows it.
 */
import * as z from 'zod';
import {
  type Environment,
  hashToken,
  publicId,
  ROTATION_KEY_SUFFIX,
  rotationKey,
  TOKEN_KEY_PREFIX,
  tokenKey,
} from '../../src/auth/token.ts';
import {
  endOfLife,
  ROTATION_VERSION,
  type Rotation,
  rotationSchema,
  TOKEN_RECORD_VERSION,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { encodeJson, getAll, type KvStore, parseJson } from '../storage/key-value-store.ts';
import { generateToken } from './new-token.ts';

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
  /** Public id of the token that it was issued in the place of. */
  readonly replaces: string | null;
  /** Public ids of the tokens that were issued in its place. */
  readonly replacedBy: readonly string[];
}

/** A token whose record is sound. */
type ReadableToken = StoredToken & { readonly record: TokenRecord };

/** What commands tell of a token, never its secret or its hash. */
export type TokenFacts = ReturnType<typeof factsOf>;

/**
 * What lies beside a record: the record says nothing of the token that it replaces, for Workers
 * refuse records with fields that they do not know.
 */
const besideSchema = z.object({ replaces: z.string().optional() });

/** Returns every token whose hash begins with `start`, the oldest first. */
export async function readTokens(store: KvStore, start = ''): Promise<StoredToken[]> {
  const replaced = new Map<string, string | null>();
  for await (const { key, metadata } of store.list(TOKEN_KEY_PREFIX)) {
    if (key.endsWith(ROTATION_KEY_SUFFIX)) continue;
    const { replaces = null } = besideSchema.safeParse(metadata).data ?? {};
    replaced.set(key.slice(TOKEN_KEY_PREFIX.length), replaces);
  }
  const hashes = [...replaced.keys()].filter((hash) => hash.startsWith(start));
  // Rotations are asked for, listed or not: lists are late.
  const keys = hashes.flatMap((hash) => [tokenKey(hash), rotationKey(hash)]);
  const wanted = keys.map((key) => ({ key, bytes: RECORD_BYTES }));
  const values = await getAll(store, wanted);
  const successors = Map.groupBy(replaced.keys(), (hash) => replaced.get(hash) ?? null);
  const tokens = hashes.flatMap((hash, index) => {
    const [record = null, rotation = null] = values.slice(2 * index, 2 * index + 2);
    // It was deleted since it was listed.
    if (!record) return [];
    const id = publicId(hash);
    return {
      id,
      hash,
      ...parseStored(record, rotation),
      replaces: replaced.get(hash) ?? null,
      replacedBy: (successors.get(id) ?? []).map(publicId),
    };
  });
  return tokens.sort((a, b) => createdAt(a) - createdAt(b) || (a.hash < b.hash ? -1 : 1));
}

/**
 * Returns the only token whose public id begins with `start`, as it is stored now.
 * @throws CommandError token_unknown, token_ambiguous
 */
export async function findToken(store: KvStore, start: string): Promise<StoredToken> {
  const [token, ...others] = await readTokens(store, start);
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
function knownFactsOf(token: ReadableToken, now: number) {
  const { id, record, rotation, replaces, replacedBy } = token;
  const { version: _, ...facts } = record;
  // By its record or by a rotation, whichever is sooner.
  const expiresAt = endOfLife(record.expiresAt, rotation);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  const end = isOver ? 'expired' : 'active';
  const state: typeof end | 'revoked' = record.revokedAt === null ? end : 'revoked';
  return { id, state, ...facts, expiresAt, ...(replaces !== null && { replaces }), replacedBy };
}

function writeRecord(
  store: KvStore,
  { hash, record, replaces }: Pick<ReadableToken, 'hash' | 'record' | 'replaces'>,
): Promise<void> {
  return store.put(
    tokenKey(hash),
    encodeJson(record),
    replaces === null ? undefined : { replaces },
  );
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
async function writeRevocation(store: KvStore, token: ReadableToken): Promise<ReadableToken> {
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
function createdAt({ record }: StoredToken): number {
  return record ? Date.parse(record.createdAt) : 0;
}

/** What the operator decides about a new token. */
export type TokenOrder = Pick<TokenRecord, 'partner' | 'scopes' | 'expiresAt' | 'utm' | 'note'>;

/** A new token with its secret. */
export type IssuedToken = ReadableToken & { readonly token: string };

/** The codes of errors after which nothing can have been written. */
const NOTHING_WRITTEN = new Set(['usage', 'api_refused']);

/**
 * Issues a token.
 * @param replaces public id of the token that it replaces
 * @throws CommandError token_unconfirmed, or InterruptedError, when it may have been stored although
 *   its secret will never be seen
 */
export async function issueToken(
  store: KvStore,
  environment: Environment,
  order: TokenOrder,
  replaces: string | null = null,
): Promise<IssuedToken> {
  const token = generateToken(environment);
  const hash = await hashToken(token);
  const id = publicId(hash);
  const record = tokenRecordSchema.parse({
    version: TOKEN_RECORD_VERSION,
    ...order,
    createdAt: new Date(store.now()).toISOString(),
    revokedAt: null,
  });
  // The token itself exists nowhere else, so the caller has to print it.
  const issued = { id, hash, token, record, rotation: null, replaces, replacedBy: [] };
  try {
    await writeRecord(store, issued);
  } catch (cause) {
    throw unconfirmed(id, cause);
  }
  return issued;
}

/** Says what may have become of a token whose secret is lost. */
function unconfirmed(id: string, cause: unknown): unknown {
  if (cause instanceof CommandError && NOTHING_WRITTEN.has(cause.code)) return cause;
  const outcome = `token ${id} may have been stored, and its secret is lost; should "token list" show it, revoke it`;
  const details = { id };
  if (cause instanceof InterruptedError) return new InterruptedError(outcome, details);
  const message = `${outcome} (${messageOf(cause)})`;
  return new CommandError(message, 'token_unconfirmed', { details, cause });
}

const HOUR = 3_600_000;

export type RotatedToken = Awaited<ReturnType<typeof rotateToken>>;

/**
 * Issues a token with the partner, scopes, attribution, note and end of life of the one it replaces,
 * and has that one end after the overlap, if it would not sooner.
 *
 * The new record is written first: whatever cuts this short leaves the old token working. And once
 * it is written the new token is returned whatever happens, because its secret exists nowhere else.
 * @param id public id of the token to replace, or its first digits
 * @param overlapHours how long both tokens are accepted; with 0 the old one is revoked
 * @throws CommandError token_unknown, token_ambiguous; token_inactive when there is nothing to
 *   replace, for the token is accepted no longer; token_replaced when it was rotated before: its end
 *   is the end of the overlap now, which no other token should have; and what `issueToken` throws
 */
export async function rotateToken(
  store: KvStore,
  environment: Environment,
  id: string,
  overlapHours: number,
) {
  const found = await findToken(store, id);
  // The clock of this machine may be days off: the partner would have no overlap, or one of days.
  const now = store.now();
  const record = recordToReplace(found, now);
  const { partner, scopes, expiresAt, utm, note } = record;
  const order = { partner, scopes, expiresAt, utm, note };
  const issued = await issueToken(store, environment, order, found.id);
  const others = found.replacedBy;
  let replaced: ReadableToken = { ...found, record, replacedBy: [...others, issued.id] };
  let failure = null;
  try {
    replaced = await endToken(store, replaced, now, overlapHours);
  } catch (error) {
    const code = error instanceof CommandError ? error.code : 'unexpected';
    // It could not be ended, so that it is accepted as before.
    failure = { code, message: messageOf(error) };
  }
  return {
    issued,
    /** Tokens that other rotations have issued in its place, which broke off or ran at the same time. */
    others,
    replaced: knownFactsOf(replaced, now),
    failure,
  };
}

function recordToReplace(token: StoredToken, now: number): TokenRecord {
  const { id, record, rotation, replacedBy } = token;
  const facts = factsOf(token, now);
  if (!record || facts.state !== 'active') {
    const message = `token ${id} is ${facts.state}, there is nothing to rotate: issue a new one`;
    const details = { id, state: facts.state };
    throw new CommandError(message, 'token_inactive', { details });
  }
  if (rotation === null) return record;
  // Lists are late: the rotation may be seen before the token that it issued.
  const successors = replacedBy.join(', ') || 'one that is not listed yet';
  const { expiresAt } = facts;
  const message = `token ${id} was rotated before: ${successors} replaces it; rotate that one, or revoke ${id} if it is not to last until ${expiresAt}`;
  const details = { id, replacedBy, expiresAt };
  throw new CommandError(message, 'token_replaced', { details });
}

/** Revokes the replaced token, or has it end after the overlap. Its record says nothing of the latter. */
async function endToken(
  store: KvStore,
  token: ReadableToken,
  now: number,
  overlapHours: number,
): Promise<ReadableToken> {
  if (overlapHours === 0) return writeRevocation(store, token);
  const rotation: Rotation = {
    version: ROTATION_VERSION,
    rotatedAt: new Date(now).toISOString(),
    until: new Date(now + overlapHours * HOUR).toISOString(),
  };
  await store.put(rotationKey(token.hash), encodeJson(rotation));
  return { ...token, rotation };
}
