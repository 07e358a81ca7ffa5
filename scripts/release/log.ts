/**
 * The log of an environment, in R2, which is strongly consistent and creates a key only if it is
 * absent: that one step decides what is live, whichever storage serves it.
 *
 *     snapshot/v…/log/<number>   JSON of an entry; never changed, deleted after 400 days
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import {
  FORMAT_VERSION,
  LOG_PREFIX,
  logKey,
  logPrefix,
  pointerKeyIn,
} from '../../src/snapshot/keys.ts';
import { CommandError } from '../cli/command-error.ts';
import { InterruptedError, messageOf } from '../cli/describe-error.ts';
import type { Ledger, SnapshotTarget } from '../storage/key-value-store.ts';
import { encodeJson, parseJson } from './json-documents.ts';
import { entrySchema, type LogEntry, type Stay } from './log-entry.ts';

/** An entry before it has its number. */
export type Decision = Omit<LogEntry, 'format' | 'number' | 'mark'>;

/** The oldest version of the format whose snapshots may be anywhere. */
export const OLDEST_VERSION = 4;

/**
 * The last entry; null when there is none.
 * @param hint a number that it probably has, or had; saves reading the whole list
 * @throws CommandError log_unreadable
 */
export async function readHead(ledger: Ledger, hint = 1): Promise<Stay | null> {
  const last = (await findLast(ledger, hint - 1)) ?? (hint > 1 ? await findLast(ledger, 0) : null);
  if (!last) return null;
  const entry = parseEntry(await ledger.get(logKey(last.number)), last.number);
  return { ...entry, from: last.from };
}

async function findLast(ledger: Ledger, after: number) {
  let last: { number: number; from: number } | null = null;
  for await (const { key, storedAt } of ledger.list(LOG_PREFIX, logKey(after))) {
    last = { number: numberOf(key), from: storedAt };
  }
  return last;
}

/** The number in a key of the log. */
export function numberOf(key: string): number {
  return Number(key.slice(LOG_PREFIX.length));
}

/** @throws CommandError log_unreadable */
export function parseEntry(bytes: Uint8Array | null, number: number): LogEntry {
  const entry = parseJson(bytes, entrySchema);
  if (entry) return entry;
  const message = `entry ${number} of the log cannot be read, so what was decided is not known; nothing was written`;
  throw new CommandError(message, {
    code: 'log_unreadable',
    explanation: `It is damaged, or a later version of this tool wrote it: ${logKey(number)} in the R2 bucket.`,
  });
}

/**
 * Adds a decision after `head`, which was read before anything was decided.
 * @param number that of the first entry of a log
 * @returns its entry; null when another writer has added one meanwhile, which has to be read first
 * @throws CommandError entry_unknown when no answer tells whether it was added
 */
export async function append(
  { ledger }: SnapshotTarget,
  decision: Decision,
  number: number,
): Promise<LogEntry | null> {
  const entry: LogEntry = { ...decision, format: FORMAT_VERSION, number, mark: randomUUID() };
  const isCreated = await ledger.create(logKey(number), encodeJson(entry)).catch(async (cause) => {
    const isKnown = await isThere(ledger, entry).catch(() => null);
    if (isKnown) return true;
    if (isKnown === false || cause instanceof InterruptedError) throw cause;
    const message = `whether entry ${number} of the log was made could not be read: ${messageOf(cause)}; see snapshot list`;
    throw new CommandError(message, { code: 'entry_unknown', details: { number }, cause });
  });
  return isCreated || (await isThere(ledger, entry)) ? entry : null;
}

/** Whether an entry was created although its creation seemed to fail, or stood in its own way. */
async function isThere(ledger: Ledger, { number, mark }: LogEntry): Promise<boolean> {
  return parseJson(await ledger.get(logKey(number)), entrySchema)?.mark === mark;
}

/** Only what may hold a number matters of other documents. */
const numberedSchema = z.looseObject({ number: z.int().min(1) });

/** The number of a first entry: above all that logs and pointers of any version show, damaged or not. */
export async function firstNumber({ objects, ledger }: SnapshotTarget): Promise<number> {
  let highest = 0;
  for (let version = OLDEST_VERSION; version <= FORMAT_VERSION; version++) {
    const pointer = parseJson(await objects.get(pointerKeyIn(version)), numberedSchema);
    const prefix = logPrefix(version);
    let last = 0;
    for await (const { key } of ledger.list(prefix)) last = Number(key.slice(prefix.length));
    highest = Math.max(highest, pointer?.number ?? 0, last);
  }
  return highest + 1;
}

/** Whether two entries leave the same stores live, with the same right to publish. */
export function isSameState(a: LogEntry | null, b: LogEntry | null): boolean {
  if (!a || !b) return a === b;
  return a.manifest.release === b.manifest.release && isDeepStrictEqual(a.hold, b.hold);
}
