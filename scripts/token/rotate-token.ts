/** Replaces a token by a new one of the same partner, leaving the partner time to change over. */
import { type Environment, rotationKey } from '../../src/auth/token.ts';
import { ROTATION_VERSION, type Rotation, type TokenRecord } from '../../src/auth/token-record.ts';
import { CommandError } from '../cli/command-error.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { findToken } from './find-token.ts';
import { type IssuedToken, issueToken } from './issue-token.ts';
import { writeRevocation } from './revoke-token.ts';
import { listEntries, type StoredToken, writeStored } from './stored-token.ts';
import { factsOf, findSuccessors, stateOf, type TokenFacts } from './token-facts.ts';
import { summarizeRotation } from './token-summary.ts';

const HOUR = 3_600_000;

export interface RotatedToken {
  readonly issued: IssuedToken;
  /** The token that is replaced, as it is now. */
  readonly replaced: TokenFacts;
  /** Why the replaced token could not be ended, so that it is accepted as before; null: it was. */
  readonly failure: Error | null;
  /** Tokens that other rotations have issued in its place, which broke off or ran at the same time. */
  readonly others: readonly string[];
}

export interface RotateOptions {
  readonly environment: Environment;
  /** Public id of the token to replace, or its first digits. */
  readonly id: string;
  /** How long both tokens are accepted; with 0 the old one is revoked. */
  readonly overlapHours: number;
}

/**
 * Issues a token with the partner, scopes, attribution, note and end of life of the one it replaces,
 * and has that one end after the overlap, if it would not sooner.
 *
 * The new record is written first: whatever cuts this short leaves the old token working. And once
 * it is written the new token is returned whatever happens, for nobody else has its secret.
 * @throws CommandError token_unknown, token_ambiguous; token_inactive when there is nothing to
 *   replace, for the token is accepted no longer; token_replaced when it was rotated before: its end
 *   is that of the overlap now, which no other token should have; and what `issueToken` throws
 */
export async function rotateToken(store: KvStore, options: RotateOptions): Promise<RotatedToken> {
  const { environment, id, overlapHours } = options;
  const found = await findToken(store, id);
  // The clock of this machine may be days off: the partner would have no overlap, or one of days.
  const now = store.now();
  const others = findSuccessors(await listEntries(store)).get(found.id) ?? [];
  const record = recordToReplace(found, others, now);
  const { partner, scopes, expiresAt, utm, note } = record;
  const order = { partner, scopes, expiresAt, utm, ...(note === undefined ? {} : { note }) };
  const issued = await issueToken(store, environment, order, now, found.id);
  const successors = [...others, issued.id];
  try {
    const end = overlapHours === 0 ? null : now + overlapHours * HOUR;
    const ended = await endToken(store, found, record, now, end);
    return { issued, replaced: factsOf(ended, successors), failure: null, others };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return { issued, replaced: factsOf(found, successors), failure, others };
  }
}

function recordToReplace(token: StoredToken, others: readonly string[], now: number): TokenRecord {
  const facts = factsOf(token, others);
  const state = stateOf(facts, now);
  if (!token.record || state !== 'active') {
    const message = `token ${token.id} is ${state}, there is nothing to rotate: issue a new one`;
    throw new CommandError(message, { code: 'token_inactive', details: { id: token.id, state } });
  }
  if (token.rotation !== null) throw alreadyReplaced(facts);
  return token.record;
}

function alreadyReplaced({ id, known }: TokenFacts): CommandError {
  const { replacedBy = [], expiresAt = null } = known ?? {};
  // Lists are late: the rotation may be seen before the token that it issued.
  const successors = replacedBy.join(', ') || 'one that is not listed yet';
  const message = `token ${id} was rotated before: ${successors} replaces it; rotate that one, or revoke ${id} if it is not to last until ${expiresAt}`;
  return new CommandError(message, {
    code: 'token_replaced',
    details: { id, replacedBy, expiresAt },
  });
}

/**
 * Revokes the replaced token, or has it end later. Its record says nothing of the latter.
 * @param end milliseconds since 1970; null: now
 */
async function endToken(
  store: KvStore,
  token: StoredToken,
  record: TokenRecord,
  now: number,
  end: number | null,
): Promise<StoredToken> {
  if (end === null) return writeRevocation(store, token, record, now);
  const rotation: Rotation = {
    version: ROTATION_VERSION,
    rotatedAt: new Date(now).toISOString(),
    until: new Date(end).toISOString(),
  };
  const key = rotationKey(token.hash);
  await writeStored(store, key, rotation, summarizeRotation(rotation));
  return { ...token, rotation };
}
