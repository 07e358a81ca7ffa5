/** Finds a token by its public id, or by as many of its first digits as tell it apart. */
import { CommandError, UsageError } from '../cli/command-error.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { listEntries, readToken, type StoredToken } from './stored-token.ts';

const ID_PATTERN = /^[0-9a-f]{4,12}$/;

/** Reads a public id, or the first digits of one, as given on the command line. @throws UsageError */
export function parseTokenId(text: string): string {
  const id = text.toLowerCase();
  if (ID_PATTERN.test(id)) return id;
  // Not repeated: it may be the secret itself.
  throw new UsageError(
    'a token goes by its public id: 12 hexadecimal digits, or the first of them (at least 4; see token list)',
  );
}

/**
 * The only token whose public id begins with `start`, as it is stored now.
 * @throws CommandError token_unknown, token_ambiguous
 */
export async function findToken(store: KvStore, start: string): Promise<StoredToken> {
  const [entry, ...others] = await listEntries(store, start);
  if (entry && others.length > 0) {
    const ids = [entry, ...others].map((each) => each.id);
    throw new CommandError(`the id ${start} is ambiguous: ${ids.join(', ')}`, {
      code: 'token_ambiguous',
      details: { ids },
    });
  }
  const token = entry && (await readToken(store, entry));
  if (token) return token;
  throw new CommandError(`no token has the id ${start} here`, {
    code: 'token_unknown',
    explanation: 'One that was issued on another machine may be missing from lists for a minute.',
  });
}
