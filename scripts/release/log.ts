/**
 * The log of an environment, in R2, which is strongly consistent and creates a key only if it is
 * absent: that one step decides what is live, whichever storage serves it.
 *
 *     snapshot/v…/log/<number>   JSON of an entry; never changed, deleted after 400 days
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  FORMAT_VERSION,
  LOG_PREFIX,
  logKey,
  logPrefix,
  pointerKeyIn,
} from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { InterruptedError, messageOf } from '../cli/describe-error.ts';
import { visible } from '../cli/output.ts';
import { listKeys } from '../storage/in-flight.ts';
import type { Ledger, SnapshotTarget } from '../storage/key-value-store.ts';
import { encodeJson, parseJson } from './json-documents.ts';
import { entrySchema, type LogEntry, type Stay } from './log-entry.ts';

/** An entry before it has its number; made from the one before, it may still have the time of that. */
export type Decision = Omit<LogEntry, 'format' | 'number' | 'mark'> & Partial<Pick<Stay, 'from'>>;

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
  const last = (await Array.fromAsync(ledger.list(LOG_PREFIX, logKey(after)))).at(-1);
  return last && { number: numberOf(last.key), from: last.storedAt };
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
  { from: _, ...decision }: Decision,
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
    const last = (await listKeys(ledger, prefix)).at(-1)?.slice(prefix.length);
    highest = Math.max(highest, pointer?.number ?? 0, Number(last ?? 0));
  }
  return highest + 1;
}

/** What log and pointer show. */
export interface LogState {
  readonly pointer: Pointer | 'unreadable' | null;
  readonly head: Stay | null;
}

/**
 * The entry that is the last one now, where `last` was read before.
 * @throws CommandError wrong_log when another log has taken the place of that one
 */
export async function nextHead(
  target: SnapshotTarget,
  last: LogEntry | null,
): Promise<Stay | null> {
  const head = await readHead(target.ledger, last?.number);
  if (last && head?.log.id !== last.log.id) throw wrongLog(target, { head, pointer: last });
  return head;
}

/**
 * One log, one environment, one place: a checkout with another bucket or namespace in its configuration
 * must neither write nor delete anything there.
 * @throws CommandError wrong_log
 */
export function expectRightLog(target: SnapshotTarget, state: LogState): void {
  if (!isRightLog(target, state)) throw wrongLog(target, state);
}

/** Whether log and pointer belong together, and to the environment and place of `target`. */
export function isRightLog({ site }: SnapshotTarget, { pointer, head }: LogState): boolean {
  if (!head) return pointer === null;
  const { id, environment, place, replaces } = head.log;
  if (environment !== site.environment || place !== site.place) return false;
  if (pointer === null || pointer === 'unreadable') return true;
  const isOurs = pointer.log.id === id || replaces.includes(pointer.log.id);
  return isOurs && pointer.number <= head.number;
}

function wrongLog({ site }: SnapshotTarget, { pointer, head }: LogState): CommandError {
  const own = `this command works on ${siteText(site)}`;
  const log = head ? `the log is that of ${describe(head)}` : 'there is no log in the bucket';
  const shown =
    pointer === 'unreadable'
      ? 'the pointer cannot be read'
      : pointer
        ? `the pointer is that of ${describe(pointer)}`
        : 'there is no pointer';
  return new CommandError(`${own}, but ${log}, and ${shown}; nothing was written or deleted`, {
    code: 'wrong_log',
    details: {
      here: site,
      log: head && { ...head.log, number: head.number },
      pointer:
        pointer && pointer !== 'unreadable' ? { ...pointer.log, number: pointer.number } : null,
    },
    explanation: [
      'Look at the names of the bucket and of the namespace in wrangler.toml, and at --env.',
      'KV may be a minute late: after a change of place wait that long and try again.',
      'If they are right, publish --begin-log begins a new log here, and uploads everything.',
    ].join('\n'),
  });
}

function describe({ log, number }: Pick<Pointer, 'log' | 'number'>): string {
  return `${siteText(log)} (log ${visible(log.id.slice(0, 8))}, entry ${number})`;
}

function siteText({ environment, place }: { environment: string; place: string }): string {
  return `${visible(environment)} at ${visible(place)}`;
}
