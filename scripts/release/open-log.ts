/** The log as every command begins with it. */
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readHead } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { isCopyOf, readPointer, writePointer } from './pointer-copy.ts';

/**
 * The last entry, or null where nothing was ever published.
 * @param options with `writes` the pointer is mended first, if it is not the copy of that entry
 * @throws CommandError log_unreadable
 */
export async function openLog(
  target: SnapshotTarget,
  { writes }: { readonly writes: boolean },
): Promise<LogEntry | null> {
  const pointer = await readPointer(target);
  const head = await readHead(target.ledger, pointer?.number);
  if (head && writes && !isCopyOf(pointer, head)) await writePointer(target, head);
  return head;
}

/** The last entry, for commands that only read. */
export function readLive(target: SnapshotTarget): Promise<LogEntry | null> {
  return openLog(target, { writes: false });
}

/** The last entry, and whether readers can see it: whether the pointer is its copy. */
export async function readState(target: SnapshotTarget) {
  const pointer = await readPointer(target);
  const head = await readHead(target.ledger, pointer?.number);
  return { head, isShown: head === null || isCopyOf(pointer, head) };
}

/** The error of commands that need a live release where there is none. */
export function nothingLiveError(): CommandError {
  return new CommandError('nothing is live here', { code: 'nothing_live' });
}
