/** What was live, and when: the log read backwards, as far as it is needed. */
import { LOG_PREFIX } from '../../src/snapshot/keys.ts';
import { getAll } from '../storage/in-flight.ts';
import type { Ledger } from '../storage/key-value-store.ts';
import { numberOf, parseEntry } from './log.ts';
import type { Stay } from './log-entry.ts';
import { isEnough } from './log-rule.ts';

/** Entries read at once. */
const BATCH = 32;

/**
 * The entries up to `head`, the latest first, at least until `isDone` says so or the log has no more.
 * Where another log was begun in its place, the one before ends.
 * @param isDone by default when there are enough to judge what is kept
 * @throws CommandError log_unreadable
 */
export async function readStays(
  ledger: Ledger,
  head: Stay | null,
  isDone: (stays: readonly Stay[]) => boolean = isEnough,
): Promise<readonly Stay[]> {
  if (!head) return [];
  const stays = [head];
  if (isDone(stays)) return stays;
  const listed = (await Array.fromAsync(ledger.list(LOG_PREFIX)))
    .map(({ key, bytes, storedAt }) => {
      return { key, size: bytes ?? 0, number: numberOf(key), from: storedAt };
    })
    .filter(({ number }) => number < head.number)
    .reverse();
  for (let start = 0; start < listed.length && !isDone(stays); start += BATCH) {
    const batch = listed.slice(start, start + BATCH);
    const values = await getAll(ledger, batch);
    for (const { key, number, from } of batch) {
      const bytes = values.get(key);
      // An old one may have been deleted since it was listed.
      const stay = bytes && { ...parseEntry(bytes, number), from };
      if (stay && stay.log.id !== head.log.id) return stays;
      if (stay) stays.push(stay);
    }
  }
  return stays;
}
