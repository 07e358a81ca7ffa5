/**
 * The log as every command begins with it, and the pointer, which is what Workers read: a copy of the log's
 * last entry. KV has no compare-and-set and is read late, so nothing is decided by it.
 *
 * Each writer of the pointer reads the log again afterwards, and writes once more if the log has moved on: of
 * two who write at the same time, the one whose write comes last sees both entries.
 */

import { isDeepStrictEqual } from 'node:util';
import { POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { type LiveRelease, type Pointer, pointerSchema } from '../../src/snapshot/manifest.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { API_WRITES_USED_UP } from '../storage/api-answer.ts';
import { encodeJson, parseJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import { type Log, logFrom, nextHead, readHead } from './log.ts';
import { type Decision, nameOf, pointerOf } from './log-entry.ts';
import { findMissing } from './objects.ts';
import { isRightLog, type LogState, wrongLog } from './right-log.ts';

export interface OpenOptions {
  /** Whether nothing is to be written. */
  readonly dryRun?: boolean;
  /** Whether a new log is begun in the place of what is there, which is not read then. */
  readonly beginLog?: boolean;
  /** Told what went wrong without ending the work. */
  readonly remark?: ((text: string) => void) | undefined;
  /** Ends the wait for objects that storage does not show yet. */
  readonly signal?: AbortSignal;
}

/** Reads the pointer and then the log, so that a pointer is never newer than the log that is read. */
export async function readState(target: SnapshotTarget): Promise<LogState> {
  const pointer = await readPointer(target);
  return { pointer, head: await readHead(target.ledger) };
}

/** The log, for commands that only read. @throws CommandError wrong_log, log_unreadable */
export async function readLog(target: SnapshotTarget): Promise<Log> {
  const state = await readState(target);
  if (!isRightLog(target, state)) throw wrongLog(target, state);
  const { head, pointer } = state;
  return logFrom(target, head, head === null || isDeepStrictEqual(pointer, pointerOf(head)));
}

/**
 * The log, for commands that write: a pointer that a killed command left behind is brought up first, if
 * all that it would lead to is there.
 * @throws CommandError wrong_log, log_unreadable, pointer_behind
 */
export async function openLog(target: SnapshotTarget, options: OpenOptions = {}): Promise<Log> {
  const { dryRun = false, beginLog = false } = options;
  if (beginLog) return logFrom(target, null);
  const log = await readLog(target);
  if (!log.head || log.isShown || dryRun) return log;
  const fault = await bringUpPointer(target, log.head, options);
  return logFrom(target, log.head, fault === null);
}

/**
 * Writes the pointer to a release that others have confirmed, unless objects of it are missing, which is told.
 * @returns why it was not written; null when it was
 * @throws CommandError pointer_behind
 */
export async function bringUpPointer(
  target: SnapshotTarget,
  head: Decision,
  { remark, signal }: Pick<OpenOptions, 'remark' | 'signal'>,
): Promise<string | null> {
  const missing = await findMissing(target, head.manifest, signal);
  if (missing.length === 0) {
    await writePointer(target, head);
    return null;
  }
  const fault = `release ${nameOf(head)} is live by the log, but ${missing.length} of its objects are missing, such as ${missing[0]}, so that the pointer to it, which Workers read, was not written; publish --afresh uploads everything anew`;
  remark?.(`warning: ${fault}`);
  return fault;
}

/** The error of commands that need a live release where there is none. */
export function nothingLiveError(): CommandError {
  return new CommandError(
    'nothing is live here yet; snapshot publish puts stores live',
    'nothing_live',
  );
}

/** The pointer as Workers may see it; null when there is none. */
export async function readPointer({
  objects,
}: SnapshotTarget): Promise<Pointer | 'unreadable' | null> {
  const bytes = await objects.get(POINTER_KEY);
  return bytes && (parseJson(bytes, pointerSchema) ?? 'unreadable');
}

/**
 * Copies the last entry, and what has come after it meanwhile. What was decided is copied although the
 * command is interrupted in the middle of it.
 * @throws CommandError pointer_behind
 */
export async function writePointer(target: SnapshotTarget, head: Decision): Promise<void> {
  try {
    await copy(target, head).catch((error) => {
      if (error instanceof InterruptedError) return copy(target, head);
      throw error;
    });
  } catch (cause) {
    const { number, manifest } = head;
    const reason = messageOf(cause);
    const isUsedUp = cause instanceof CommandError && cause.code === API_WRITES_USED_UP;
    const when = isUsedUp ? 'From 0:00 UTC on, when KV takes writes again, run' : 'Run';
    const message = `entry ${number} of the log says that release ${manifest.release} is live, but the pointer to it could not be written: ${reason}`;
    throw new CommandError(message, 'pointer_behind', {
      details: { number, release: manifest.release },
      explanation: `Readers go on with what they have. ${when} snapshot prune, or any other command that writes, to bring it up.`,
      cause,
    });
  }
}

async function copy(target: SnapshotTarget, head: Decision): Promise<void> {
  const { manifest, publishedAt } = head;
  // By the name that the pointer is about to tell, Workers find what `changes` compares.
  const release: LiveRelease = { manifest, publishedAt };
  await target.objects.put(releaseKey(nameOf(head)), encodeJson(release));
  await target.objects.put(POINTER_KEY, encodeJson(pointerOf(head)));
  const last = await nextHead(target, head);
  if (last && last.number !== head.number) await copy(target, last);
}
