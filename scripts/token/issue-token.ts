/**
 * Issues tokens, new ones and in the place of another, which leaves the partner time to change over: makes
 * the secret, and stores all that there is to know of it but the secret.
 */
import { type Environment, hashToken, publicId, rotationKey } from '../../src/auth/token.ts';
import {
  ROTATION_VERSION,
  type Rotation,
  TOKEN_RECORD_VERSION,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';
import { HOUR } from '../../src/hours/clock.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { encodeJson, type KvStore } from '../storage/key-value-store.ts';
import { generateToken } from './new-token.ts';
import {
  factsOf,
  findToken,
  knownFactsOf,
  type ReadableToken,
  type StoredToken,
  writeRecord,
  writeRevocation,
} from './stored-token.ts';

/** What is decided about a new token. */
export type TokenOrder = Omit<TokenRecord, 'version' | 'createdAt' | 'revokedAt'>;

/** A new token with its secret. */
export type IssuedToken = ReadableToken & { readonly token: string };

/** The codes of errors after which nothing can have been written. */
const NOTHING_WRITTEN = new Set(['usage', 'api_refused']);

/**
 * Issues a token.
 * @throws CommandError token_unconfirmed, or InterruptedError, when it may have been stored although
 *   its secret will never be seen
 */
export async function issueToken(
  store: KvStore,
  environment: Environment,
  order: TokenOrder,
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
  const issued = { id, hash, token, record, rotation: null, replacedBy: [] };
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
  const order = { partner, scopes, expiresAt, utm, note, replaces: found.id };
  const issued = await issueToken(store, environment, order);
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
