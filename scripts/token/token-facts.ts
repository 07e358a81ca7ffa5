/** What commands tell of a token: the same whether it was listed or read, and never a secret. */
import { endOfLife } from '../../src/auth/token-record.ts';
import { forEachInFlight } from '../storage/in-flight.ts';
import type { KvStore } from '../storage/key-value-store.ts';
import { listEntries, readToken, type StoredToken, type TokenEntry } from './stored-token.ts';
import type { TokenSummary } from './token-summary.ts';

/** Each costs two requests to the remote storage. */
const READ_AT_ONCE = 8;

export interface TokenFacts {
  readonly id: string;
  readonly hash: string;
  /** Null when it is damaged: such a token is refused. */
  readonly known: KnownFacts | null;
}

export interface KnownFacts extends TokenSummary {
  /** When the token ends, by its record or by a rotation, whichever is sooner. */
  readonly expiresAt: string | null;
  /** Public ids of the tokens that were issued in its place. */
  readonly replacedBy: readonly string[];
}

export type TokenState = 'active' | 'expired' | 'revoked' | 'damaged';

/**
 * Every token of the store, the oldest first. One request for 1,000 keys, and none for a value: that
 * a value was damaged since it was written shows when the token is read.
 */
export async function listTokens(store: KvStore): Promise<TokenFacts[]> {
  const entries = await listEntries(store);
  const successors = findSuccessors(entries);
  const facts: TokenFacts[] = [];
  await forEachInFlight(entries, READ_AT_ONCE, async (entry) => {
    const { id, hash } = entry;
    const known = listedFacts(entry, successors);
    if (known) return void facts.push({ id, hash, known });
    const token = await readToken(store, entry);
    // Null: deleted since it was listed.
    if (token) facts.push(factsOf(token, successors.get(id)));
  });
  return facts.sort((a, b) => createdAt(a) - createdAt(b) || (a.hash < b.hash ? -1 : 1));
}

/** What is told of a token that was read. @param successors public ids, see `findSuccessors` */
export function factsOf(token: StoredToken, successors: readonly string[] = []): TokenFacts {
  const { id, hash, record, rotation, replaces } = token;
  if (!record) return { id, hash, known: null };
  const { version: _, ...facts } = record;
  return {
    id,
    hash,
    known: {
      ...facts,
      expiresAt: endOfLife(record.expiresAt, rotation),
      ...(replaces === null ? {} : { replaces }),
      replacedBy: successors,
    },
  };
}

/** Public ids of the tokens that rotations issued, by the id of the one in whose place they came. */
export function findSuccessors(entries: readonly TokenEntry[]): Map<string, string[]> {
  const successors = new Map<string, string[]>();
  for (const { id, summary } of entries) {
    const replaced = summary?.replaces;
    if (replaced !== undefined) successors.set(replaced, [...(successors.get(replaced) ?? []), id]);
  }
  return successors;
}

/** Whether a token is accepted at `now`, milliseconds since 1970, and if not, why. */
export function stateOf({ known }: Pick<TokenFacts, 'known'>, now: number): TokenState {
  if (!known) return 'damaged';
  if (known.revokedAt !== null) return 'revoked';
  if (known.expiresAt !== null && Date.parse(known.expiresAt) <= now) return 'expired';
  return 'active';
}

/** What a list alone tells of a token; null when that is too little. */
function listedFacts(
  { id, summary, rotation }: TokenEntry,
  successors: ReadonlyMap<string, readonly string[]>,
): KnownFacts | null {
  if (!summary || rotation === null) return null;
  return {
    ...summary,
    expiresAt: endOfLife(summary.expiresAt, rotation ?? null),
    replacedBy: successors.get(id) ?? [],
  };
}

/** Damaged ones come first. */
function createdAt({ known }: TokenFacts): number {
  return known ? Date.parse(known.createdAt) : 0;
}
