/** Revokes a token. Its record stays, so that its holder is told and the list shows it. */
import { tokenKey } from '../../src/auth/token.ts';
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { CommandError } from '../cli/command-error.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { findToken } from './find-token.ts';
import { type StoredToken, writeStored } from './stored-token.ts';
import { factsOf, type TokenFacts } from './token-facts.ts';
import { summarize } from './token-summary.ts';

export interface RevokedToken {
  readonly facts: TokenFacts;
  /** Who held it. */
  readonly partner: string;
  readonly revokedAt: string;
  /** True when it had been revoked before; nothing was changed then. */
  readonly wasRevoked: boolean;
}

/**
 * @param now milliseconds since 1970
 * @param id its public id, or the first digits of it
 * @throws CommandError token_unknown, token_ambiguous, token_damaged
 */
export async function revokeToken(store: KvStore, id: string, now: number): Promise<RevokedToken> {
  const found = await findToken(store, id);
  const { record } = found;
  if (!record) {
    const message = `what is stored of token ${found.id} is damaged: the token is refused already`;
    throw new CommandError(message, { code: 'token_damaged' });
  }
  const { partner, revokedAt } = record;
  if (revokedAt !== null) return { facts: factsOf(found), partner, revokedAt, wasRevoked: true };
  const revoked = await writeRevocation(store, found, record, now);
  const at = revoked.record.revokedAt;
  return { facts: factsOf(revoked), partner, revokedAt: at, wasRevoked: false };
}

/**
 * Writes a revocation into the record of a token: the only change that a record ever sees, so that
 * whoever writes it, however late they read it, takes nothing else back.
 */
export async function writeRevocation(
  store: KvStore,
  token: StoredToken,
  record: TokenRecord,
  now: number,
) {
  const revoked = { ...record, revokedAt: new Date(now).toISOString() };
  const summary = summarize(revoked, token.replaces);
  await writeStored(store, tokenKey(token.hash), revoked, summary);
  return { ...token, record: revoked };
}
