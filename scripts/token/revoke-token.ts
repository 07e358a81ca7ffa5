/** Revokes a token. Its record stays, so that its holder is told and the list shows it. */
import type { TokenRecord } from '../../src/auth/token-record.ts';
import { CommandError } from '../cli/command-error.ts';
import { findToken } from './find-token.ts';
import type { TokenStore } from './token-store.ts';

export interface RevokedToken {
  readonly id: string;
  readonly record: TokenRecord;
  /** True when it had been revoked before; nothing was changed then. */
  readonly wasRevoked: boolean;
}

/**
 * @param now milliseconds since 1970
 * @param id its public id, or the first digits of it
 * @throws CommandError token_unknown, token_ambiguous, token_damaged
 */
export async function revokeToken(
  store: TokenStore,
  id: string,
  now: number,
): Promise<RevokedToken> {
  const found = await findToken(store, id);
  if (!found.record) {
    const message = `the record of token ${found.id} is damaged: the token is refused already`;
    throw new CommandError(message, { code: 'token_damaged' });
  }
  if (found.record.revokedAt !== null) {
    return { id: found.id, record: found.record, wasRevoked: true };
  }
  const record = { ...found.record, revokedAt: new Date(now).toISOString() };
  await store.write(found.hash, JSON.stringify(record));
  return { id: found.id, record, wasRevoked: false };
}
