/** Replaces a token by a new one of the same partner, leaving the partner time to change over. */
import type { Environment } from '../../src/auth/token.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { CommandError } from '../cli/command-error.ts';
import { findToken } from './find-token.ts';
import { type IssuedToken, issueToken } from './issue-token.ts';
import { type StoredToken, stateOf } from './stored-token.ts';
import type { TokenStore } from './token-store.ts';

const HOUR = 3_600_000;

export interface RotatedToken {
  readonly issued: IssuedToken;
  /** The token that is replaced, as it is now. */
  readonly replaced: { readonly id: string; readonly record: TokenRecord };
}

export interface RotateOptions {
  readonly environment: Environment;
  /** Public id of the token to replace, or its first digits. */
  readonly id: string;
  /** How long both tokens are accepted; with 0 the old one is revoked. */
  readonly overlapHours: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Issues a token with the partner, scopes, attribution, note and end of life of the one it replaces,
 * and has that one expire after the overlap, if it would not sooner.
 *
 * The new record is written first: whatever cuts this short leaves the old token working.
 * @throws CommandError token_unknown, token_ambiguous; token_inactive when there is nothing to
 *   replace, for the token is accepted no longer; token_replaced when it was rotated before: its end
 *   is that of the overlap now, which no other token should have
 */
export async function rotateToken(
  store: TokenStore,
  { environment, id, overlapHours, now }: RotateOptions,
): Promise<RotatedToken> {
  const found = await findToken(store, id);
  const old = activeRecord(found, now);
  const { partner, scopes, expiresAt, utm, note } = old;
  const order = { partner, scopes, expiresAt, utm, ...(note === undefined ? {} : { note }) };
  const issued = await issueToken(store, environment, order, now);
  const record = { ...endRecord(old, overlapHours, now), replacedBy: issued.id };
  await store.write(found.hash, JSON.stringify(record));
  return { issued, replaced: { id: found.id, record } };
}

function activeRecord(token: StoredToken, now: number): TokenRecord {
  const state = stateOf(token, now);
  if (token.record && state === 'active') return refuseReplaced(token.id, token.record);
  const message = `token ${token.id} is ${state}, there is nothing to rotate: issue a new one`;
  throw new CommandError(message, { code: 'token_inactive', details: { id: token.id, state } });
}

function refuseReplaced(id: string, record: TokenRecord): TokenRecord {
  const { replacedBy, expiresAt } = record;
  if (replacedBy === undefined) return record;
  const message = `token ${id} was rotated before: ${replacedBy} replaces it; rotate that one, or revoke ${id} if it is not to last until ${expiresAt}`;
  throw new CommandError(message, {
    code: 'token_replaced',
    details: { id, replacedBy, expiresAt },
  });
}

function endRecord(record: TokenRecord, overlapHours: number, now: number): TokenRecord {
  if (overlapHours === 0) return { ...record, revokedAt: new Date(now).toISOString() };
  const end = now + overlapHours * HOUR;
  if (record.expiresAt !== null && Date.parse(record.expiresAt) <= end) return record;
  return { ...record, expiresAt: new Date(end).toISOString() };
}
