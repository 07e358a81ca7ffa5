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
import { CommandError, messageOf } from '../cli/command-error.ts';
import { encodeJson, type KvStore } from '../storage/key-value-store.ts';
import { generateToken } from './new-token.ts';
import { factsOf, findToken, type Token, writeRecord, writeRevocation } from './stored-token.ts';

/** What is decided about a new token. */
export type TokenOrder = Omit<TokenRecord, 'version' | 'createdAt' | 'revokedAt'>;

/** A new token with its secret. */
export type IssuedToken = Token & { readonly token: string };

/**
 * Issues a token.
 * @throws CommandError token_unconfirmed when it may have been stored although its secret will never be seen
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
    // Then it was not stored.
    if (cause instanceof CommandError && cause.code === 'api_refused') throw cause;
    const outcome = `token ${id} may have been stored, and its secret is lost; should "token list" show it, revoke it`;
    const message = `${outcome} (${messageOf(cause)})`;
    throw new CommandError(message, 'token_unconfirmed', { details: { id }, cause });
  }
  return issued;
}

/**
 * Issues a token with the partner, scopes, attribution, note and end of life of the one it replaces,
 * and has that one end after the overlap, if it would not sooner.
 *
 * The new record is written first: whatever cuts this short leaves the old token working. And once
 * it is written the new token is returned whatever happens, because its secret exists nowhere else.
 * @param id public id of the token to replace, or its first digits
 * @param overlapHours how long both tokens are accepted; with 0 the old one is revoked
 * @throws CommandError as `findToken` does; token_inactive when there is nothing to replace, for the token is accepted
 *   no longer; token_replaced when it was rotated before: its end is the end of the overlap now, which no other token
 *   should have; and what `issueToken` throws
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
  expectReplaceable(found, now);
  const { partner, scopes, expiresAt, utm, note } = found.record;
  const order = { partner, scopes, expiresAt, utm, note, replaces: found.id };
  const issued = await issueToken(store, environment, order);
  let replaced: Token = { ...found, replacedBy: [...found.replacedBy, issued.id] };
  let failure: string | null = null;
  try {
    if (overlapHours === 0) replaced = await writeRevocation(store, replaced);
    else {
      // Its record says nothing of it.
      const rotation: Rotation = {
        version: ROTATION_VERSION,
        rotatedAt: new Date(now).toISOString(),
        until: new Date(now + overlapHours * HOUR).toISOString(),
      };
      await store.put(rotationKey(found.hash), encodeJson(rotation));
      replaced = { ...replaced, rotation };
    }
  } catch (error) {
    // It could not be ended, so that it is accepted as before.
    failure = messageOf(error);
  }
  return { issued, replaced: factsOf(replaced, now), failure };
}

function expectReplaceable(token: Token, now: number): void {
  const { id, state, expiresAt, replacedBy } = factsOf(token, now);
  if (state !== 'active') {
    const message = `token ${id} is ${state}, there is nothing to rotate: issue a new one`;
    throw new CommandError(message, 'token_inactive', { details: { id, state } });
  }
  if (token.rotation === null) return;
  // Lists are late: the rotation may be seen before the token that it issued.
  const successors = replacedBy.join(', ') || 'one that is not listed yet';
  const message = `token ${id} was rotated before: ${successors} replaces it; rotate that one, or revoke ${id} if it is not to last until ${expiresAt}`;
  const details = { id, replacedBy, expiresAt };
  throw new CommandError(message, 'token_replaced', { details });
}
