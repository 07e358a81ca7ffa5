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
import type { Guard, Ledger, SnapshotTarget } from '../storage/key-value-store.ts';
import { entrySchema, type LogEntry } from './log-entry.ts';
import { encodeJson, parseJson } from './published-release.ts';

/** An entry before it has its number. */
export type Decision = Omit<LogEntry, 'format' | 'number' | 'mark'>;

/** The oldest version of the format whose snapshots may be anywhere. */
export const OLDEST_VERSION = 4;

/**
 * The last entry; null when there is none.
 * @param hint a number that it probably has, or had; saves reading the whole list
 * @throws CommandError log_unreadable
 */
export async function readHead(ledger: Ledger, hint = 1): Promise<LogEntry | null> {
  const number =
    (await lastNumber(ledger, hint - 1)) ?? (hint > 1 ? await lastNumber(ledger, 0) : null);
  return number === null ? null : readEntry(ledger, number);
}

async function lastNumber(ledger: Ledger, after: number): Promise<number | null> {
  let last: number | null = null;
  for await (const { key } of ledger.list(LOG_PREFIX, logKey(after))) last = numberOf(key);
  return last;
}

/** The number in a key of the log. */
export function numberOf(key: string): number {
  return Number(key.slice(LOG_PREFIX.length));
}

/** @throws CommandError log_unreadable when the entry is damaged, or gone */
export async function readEntry(ledger: Ledger, number: number): Promise<LogEntry> {
  return parseEntry(await ledger.get(logKey(number)), number);
}

/** @throws CommandError log_unreadable */
export function parseEntry(bytes: Uint8Array | null, number: number): LogEntry {
  const entry = parseJson(bytes, entrySchema);
  if (entry) return entry;
  const message = `entry ${number} of the log cannot be read, so nobody knows what was decided; nothing was written`;
  throw new CommandError(message, {
    code: 'log_unreadable',
    explanation: `It is damaged, or a later version of this tool wrote it: ${logKey(number)} in the R2 bucket.`,
  });
}

/**
 * Adds a decision after `head`.
 * @returns its entry; null when somebody else has added one meanwhile, and has to be looked at
 */
export async function append(
  target: SnapshotTarget,
  head: LogEntry | null,
  decision: Decision,
  guard?: Guard,
): Promise<LogEntry | null> {
  const { ledger } = target;
  const number = head ? head.number + 1 : await firstNumber(target);
  const entry: LogEntry = { ...decision, format: FORMAT_VERSION, number, mark: randomUUID() };
  const isCreated = await ledger
    .create(logKey(number), encodeJson(entry), guard)
    .catch(async (error: unknown) => {
      if (await isThere(ledger, entry)) return true;
      throw error;
    });
  return isCreated || (await isThere(ledger, entry)) ? entry : null;
}

/** Whether an entry was created although its creation seemed to fail, or stood in its own way. */
async function isThere(ledger: Ledger, { number, mark }: LogEntry): Promise<boolean> {
  const bytes = await ledger.get(logKey(number)).catch(() => null);
  return parseJson(bytes, entrySchema)?.mark === mark;
}

/** Only what may hold a number matters of other documents. */
const numberedSchema = z.looseObject({ number: z.int().min(1) });

/** The number of the first entry: a version goes on from the one before, a damaged pointer too. */
async function firstNumber({ objects, ledger }: SnapshotTarget): Promise<number> {
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

/** Whether two entries leave the same live, with the same right to publish. */
export function isSameState(a: LogEntry | null, b: LogEntry | null): boolean {
  if (!a || !b) return a === b;
  return a.manifest.release === b.manifest.release && isDeepStrictEqual(a.hold, b.hold);
}
