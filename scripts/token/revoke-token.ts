/** Revokes a token. Its record stays, so that its holder is told and the list shows it. */
import { CommandError } from '../cli/command-error.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { findToken, knownFactsOf, type ReadableToken, writeRecord } from './stored-token.ts';

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
