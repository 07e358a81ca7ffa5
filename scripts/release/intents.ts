/**
 * What publications under way rely on. A publication writes its intent before anything else and takes
 * it away at its end; until then nobody deletes what the intent names.
 *
 *     snapshot/v…/intent/<random>   JSON: who publishes which release, after which entry, its objects
 *
 * An intent counts for a day. A publication whose intent is older than half a day begins anew with
 * another one.
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { INTENT_PREFIX } from '../../src/snapshot/keys.ts';
import { deleteAll, getAll } from '../storage/in-flight.ts';
import type { Ledger } from '../storage/key-value-store.ts';
import { encodeJson, parseJson, unreadable } from './published-release.ts';

/** Milliseconds for which an intent counts. */
const INTENT_LIFETIME = 24 * 3600_000;

const intentSchema = z.object({
  by: z.string(),
  release: z.string(),
  /** Number of the log's last entry when it was written; 0: there was none. */
  head: z.int().min(0),
  /** Hashes. */
  objects: z.array(z.string()),
});

export type Intent = z.infer<typeof intentSchema>;

export interface DeclaredIntent {
  readonly key: string;
  /** When, by the clock of the storage, at the latest. */
  readonly storedAt: number;
}

/** Writes an intent; it counts from before this returns. */
export async function declareIntent(ledger: Ledger, intent: Intent): Promise<DeclaredIntent> {
  const key = `${INTENT_PREFIX}${randomUUID()}`;
  await ledger.put(key, encodeJson(intent));
  return { key, storedAt: await ledger.now() };
}

/** The intents that count at `now`. @throws CommandError ledger_unreadable */
export async function readIntents(ledger: Ledger, now: number): Promise<Intent[]> {
  const keys: string[] = [];
  for await (const { key, storedAt } of ledger.list(INTENT_PREFIX)) {
    if (now - storedAt < INTENT_LIFETIME) keys.push(key);
  }
  const values = await getAll(ledger, keys);
  return keys.flatMap((key) => {
    const bytes = values.get(key);
    // Taken away since it was listed.
    if (!bytes) return [];
    const intent = parseJson(bytes, intentSchema);
    if (!intent) throw unreadable(key, 'what a publication relies on');
    return [intent];
  });
}

/** Clears away what killed publications left. */
export async function dropOldIntents(ledger: Ledger, now: number): Promise<void> {
  const keys: string[] = [];
  for await (const { key, storedAt } of ledger.list(INTENT_PREFIX)) {
    if (now - storedAt >= INTENT_LIFETIME) keys.push(key);
  }
  await deleteAll(ledger, keys);
}
