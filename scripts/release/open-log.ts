/** The log as every command begins with it. */
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { expectRightLog, type LogState, readHead } from './log.ts';
import type { LogEntry, Stay } from './log-entry.ts';
import { isCopyOf, readPointer, writePointer } from './pointer-copy.ts';
import { findMissing } from './published-objects.ts';

/** Prints a remark for the person who runs the command. */
type Remark = ((text: string) => void) | undefined;

/** Reads the pointer and then the log, so that a pointer is never newer than the log that is read. */
export async function readLog(target: SnapshotTarget): Promise<LogState> {
  const pointer = await readPointer(target);
  const hint = pointer === 'unreadable' ? undefined : pointer?.number;
  return { pointer, head: await readHead(target.ledger, hint) };
}

/**
 * The same, for commands that only read, and whether the pointer shows what the log says.
 * @throws CommandError wrong_log, log_unreadable
 */
export async function readState(target: SnapshotTarget) {
  const state = await readLog(target);
  expectRightLog(target, state);
  const { head, pointer } = state;
  return { head, isShown: head === null || isCopyOf(pointer, head) };
}

/** The last entry, for commands that only read. @throws CommandError wrong_log, log_unreadable */
export async function readLive(target: SnapshotTarget): Promise<Stay | null> {
  return (await readState(target)).head;
}

/**
 * The last entry, or null where nothing was ever published, for commands that write: a pointer that a
 * killed command left behind is brought up first, if all that it would lead to is there.
 * @param remark told when it is not
 * @throws CommandError wrong_log, log_unreadable, pointer_behind
 */
export async function openLog(target: SnapshotTarget, remark?: Remark): Promise<Stay | null> {
  const { head, isShown } = await readState(target);
  if (head && !isShown) await bringUpPointer(target, head, remark);
  return head;
}

/**
 * Writes the pointer to a release that others have confirmed, unless objects of it are missing.
 * @param remark told of that
 * @throws CommandError pointer_behind
 */
export async function bringUpPointer(
  target: SnapshotTarget,
  head: LogEntry,
  remark?: Remark,
): Promise<void> {
  const missing = await findMissing(target, head.manifest);
  if (missing.length === 0) {
    await writePointer(target, head);
    return;
  }
  remark?.(
    `warning: the pointer that Workers read is behind the log and stays so, for objects of release ${head.manifest.release} are missing, such as ${missing[0]}; publish --afresh uploads everything anew`,
  );
}

/** The error of commands that need a live release where there is none. */
export function nothingLiveError(): CommandError {
  return new CommandError('nothing is live here yet; snapshot publish puts stores live', {
    code: 'nothing_live',
  });
}
