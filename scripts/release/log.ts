/**
 * The log of an environment, in R2, which is strongly consistent and creates a key only if it is
 * absent: that one step decides what is live, whichever storage serves it.
 *
 *     snapshot/v…/log/<number>   JSON of an entry; never changed, deleted after 400 days unless its release is kept
 *
 * The ideas of this folder:
 *
 *  1. log: kept in R2, the ledger, and timed by R2's clock, wherever the objects lie. A writer reads the
 *     last entry, the head, decides, and takes the next number, or begins anew where that is taken. A
 *     random mark tells its own entry; where no answer does, it ends with entry_unknown
 *  2. entry (log-entry.ts): one decision about what is live, and the time at which R2 created it
 *  3. hold (log-entry.ts): a rollback stops publishing until a resume
 *  4. back (log-entry.ts): where the next rollback leads
 *  5. right log (open-log.ts): one environment and one place have one log; `--begin-log` begins another
 *  6. pointer (open-log.ts): the copy of the head that Workers read, with what was live before, and
 *     the release by its name beside it; brought up by commands that write
 *  7. generation (log-entry.ts): the objects that are uploaded, and deleted, as one set. Publications
 *     write into the newest; one that is given up no entry may name any more
 *  8. kept (log-entry.ts): which releases can be gone back to; a function of the log alone
 *  9. sample (write-objects.ts): what is read back of an upload before it goes live
 * 10. wait for storage (whileLate in objects.ts): KV shows late what was written
 * 11. wait for readers (awaitReaders there; READERS_WAIT in storage/open-target.ts): Workers read on what was live
 * 12. collecting (collect.ts): deletes what the log of a day ago has given up
 * 13. purge (commands/purge.ts): gives up all but the live release, and deletes that at once
 * 14. older versions (commands/prune.ts): lie beside this one until they are pruned as a whole
 */

import { randomUUID } from 'node:crypto';
import { FORMAT_VERSION, LOG_PREFIX, logKey } from '../../src/snapshot/keys.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import {
  encodeJson,
  getAll,
  type Ledger,
  type LedgerKey,
  parseJson,
  type SnapshotTarget,
} from '../storage/key-value-store.ts';
import { type Decision, entrySchema, judgeLog, type LogEntry } from './log-entry.ts';
import type { publishedReleases } from './objects.ts';

/** Entries read at once. */
const BATCH = 32;

/** The log as a command has read it. */
export interface Log {
  /** Its last entry; null when there is none. */
  readonly head: LogEntry | null;
  /** Whether the pointer shows that. */
  readonly isShown: boolean;
  /** Opens a release of it. */
  readonly open: ReturnType<typeof publishedReleases>;
}

/**
 * Returns the log up to one of its entries, the latest first: as far back as is needed to judge what is kept. Where
 * another log was begun in its place, the one before ends.
 * @param minEntries how many are wanted besides
 * @throws CommandError log_unreadable
 */
export async function readEntries(
  { ledger }: SnapshotTarget,
  last: Pick<Decision, 'log' | 'number'> | null,
  minEntries = 0,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  if (!last) return entries;
  const listed = await Array.fromAsync(ledger.list(LOG_PREFIX));
  const unread = listed.filter(({ key }) => numberOf(key) <= last.number).reverse();
  while (unread.length > 0 && !(entries.length >= minEntries && judgeLog(entries).isEnough)) {
    const batch = unread.splice(0, BATCH);
    const values = await getAll(ledger, batch);
    for (const [index, key] of batch.entries()) {
      const bytes = values[index];
      // An old one may have been deleted since it was listed.
      if (!bytes) continue;
      const entry = parseEntry(bytes, key);
      if (entry.log.id !== last.log.id) return entries;
      entries.push(entry);
    }
  }
  return entries;
}

/** Returns the last entry; null when there is none. @throws CommandError log_unreadable */
export async function readHead(ledger: Ledger): Promise<LogEntry | null> {
  const last = (await Array.fromAsync(ledger.list(LOG_PREFIX))).at(-1);
  return last ? parseEntry(await ledger.get(last.key), last) : null;
}

/** Returns the number in a key of the log. */
export function numberOf(key: string): number {
  return Number(key.slice(LOG_PREFIX.length));
}

/** Reads an entry. @throws CommandError log_unreadable */
export function parseEntry(
  bytes: Uint8Array | null,
  { key, storedAt }: Pick<LedgerKey, 'key' | 'storedAt'>,
): LogEntry {
  const entry = parseJson(bytes, entrySchema);
  if (entry) return { ...entry, from: storedAt };
  const message = `entry ${numberOf(key)} of the log cannot be read, so what was decided is not known; nothing was written`;
  throw new CommandError(message, 'log_unreadable', {
    explanation: `It is damaged, or a later version of this tool wrote it: ${key} in the R2 bucket.`,
  });
}

/**
 * Returns the entry that is the last one now, where `last` was read before.
 * @throws CommandError wrong_log when another log has taken the place of that one
 */
export async function nextHead({ ledger }: SnapshotTarget, last: Decision): Promise<LogEntry> {
  const head = await readHead(ledger);
  if (head?.log.id === last.log.id) return head;
  const message = 'another log was begun meanwhile: this command went no further';
  const explanation = 'Look at what is live, with snapshot list, and run the command again.';
  throw new CommandError(message, 'wrong_log', { explanation });
}

/**
 * Adds a decision, by the number that follows the head that was read before anything was decided.
 * @returns whether it was added; if not, another writer's has its number, which has to be read first
 * @throws CommandError entry_unknown when no answer tells whether it was added
 */
export async function append({ ledger }: SnapshotTarget, decision: Decision): Promise<boolean> {
  const { number } = decision;
  const key = logKey(number);
  const mark = randomUUID();
  const entry = entrySchema.parse({ ...decision, format: FORMAT_VERSION, mark });
  /** Returns whether it was created although its creation seemed to fail, or stood in its own way. */
  const isThere = async () => parseJson(await ledger.get(key), entrySchema)?.mark === mark;
  try {
    return (await ledger.create(key, encodeJson(entry))) || (await isThere());
  } catch (cause) {
    const isKnown = await isThere().catch(() => null);
    if (isKnown) return true;
    if (isKnown === false || cause instanceof InterruptedError) throw cause;
    const message = `whether entry ${number} of the log was made could not be read: ${messageOf(cause)}; see snapshot list`;
    throw new CommandError(message, 'entry_unknown', { cause });
  }
}
