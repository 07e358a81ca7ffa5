/** Issues a token: makes the secret, stores what there is to know of it but the secret. */

import { type Environment, hashToken, publicId } from '../../src/auth/token.ts';
import {
  TOKEN_RECORD_VERSION,
  type TokenRecord,
  tokenRecordSchema,
} from '../../src/auth/token-record.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { generateToken } from './new-token.ts';
import { writeRecord } from './stored-token.ts';

/** What the operator decides about a new token. */
export type TokenOrder = Pick<TokenRecord, 'partner' | 'scopes' | 'expiresAt' | 'utm' | 'note'>;

export type IssuedToken = Awaited<ReturnType<typeof issueToken>>;

/** The codes of errors after which nothing can have been written. */
const NOTHING_WRITTEN = new Set(['usage', 'api_refused']);

/**
 * @param replaces public id of the token that it is issued in the place of
 * @throws CommandError token_unconfirmed, or InterruptedError, when it may have been stored although
 *   its secret will never be seen
 */
export async function issueToken(
  store: KvStore,
  environment: Environment,
  order: TokenOrder,
  replaces: string | null = null,
) {
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
