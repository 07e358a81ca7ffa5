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
export interface Token {
  /** Public. */
  readonly id: string;
  readonly hash: string;
  readonly record: TokenRecord;
  readonly rotation: Rotation | null;
  /** Public ids of the tokens that were issued in its place. */
  readonly replacedBy: readonly string[];
}

/** What commands tell of a token, never its secret or its hash. */
export type TokenFacts = ReturnType<typeof factsOf>;

/** Returns every token, the oldest first, and the public ids of those whose record or rotation is damaged. */
export async function readTokens(store: KvStore) {
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
  const tokens: Token[] = [];
  const damaged: string[] = [];
  for (const [index, hash] of hashes.entries()) {
    const [recordBytes, rotationBytes] = values.slice(2 * index, 2 * index + 2);
    // It was deleted since it was listed.
    if (!recordBytes) continue;
    const id = publicId(hash);
    const record = parseJson(recordBytes, tokenRecordSchema);
    const rotation = rotationBytes ? parseJson(rotationBytes, rotationSchema) : null;
    if (!record || (rotationBytes && !rotation)) damaged.push(id);
    else tokens.push({ id, hash, record, rotation, replacedBy: [] });
  }
  tokens.sort((a, b) => Date.parse(a.record.createdAt) - Date.parse(b.record.createdAt));
  const successors = Map.groupBy(tokens, ({ record }) => record.replaces);
  const replacedBy = (id: string) => (successors.get(id) ?? []).map((token) => token.id);
  return { tokens: tokens.map((each) => ({ ...each, replacedBy: replacedBy(each.id) })), damaged };
}

/**
 * Returns the only token whose public id begins with `start`, as it is stored now.
 * @throws CommandError token_unknown, token_ambiguous, token_damaged
 */
export async function findToken(store: KvStore, start: string): Promise<Token> {
  const { tokens, damaged } = await readTokens(store);
  const ids = [...damaged, ...tokens.map(({ id }) => id)].filter((id) => id.startsWith(start));
  if (ids.length === 0) {
    throw new CommandError(`no token has the id ${start} here`, 'token_unknown', {
      explanation: 'One that was issued on another machine may be missing from lists for a minute.',
    });
  }
  if (ids.length > 1) {
    throw new CommandError(`the id ${start} is ambiguous: ${ids.join(', ')}`, 'token_ambiguous', {
      details: { ids },
    });
  }
  const token = tokens.find(({ id }) => id === ids[0]);
  if (token) return token;
  const message = `the record of token ${ids[0]} is damaged: the token is refused already`;
  throw new CommandError(message, 'token_damaged');
}

/** Returns the facts of a token at `now`, milliseconds since 1970. */
export function factsOf({ id, record, rotation, replacedBy }: Token, now: number) {
  const { version: _, ...facts } = record;
  // By its record or by a rotation, whichever is sooner.
  const expiresAt = endOfLife(record.expiresAt, rotation);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  const end = isOver ? 'expired' : 'active';
  const state = record.revokedAt === null ? end : 'revoked';
  return { id, state, ...facts, expiresAt, replacedBy };
}

/** Writes a record. */
export function writeRecord(store: KvStore, { hash, record }: Token): Promise<void> {
  return store.put(tokenKey(hash), encodeJson(record));
}

/**
 * Writes a revocation into the record of a token: the only change that a record ever sees, so that
 * a writer that read it late takes nothing else back.
 */
export async function writeRevocation(store: KvStore, token: Token): Promise<Token> {
  const record = { ...token.record, revokedAt: new Date(store.now()).toISOString() };
  const revoked = { ...token, record };
  await writeRecord(store, revoked);
  return revoked;
}
