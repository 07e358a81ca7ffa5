/** The log as every command begins with it. */
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readHead } from './log.ts';
import type { LogEntry } from './log-entry.ts';
import { mendPointer, readPointer } from './pointer-copy.ts';
import { takeOver } from './take-over.ts';

/**
 * The last entry, or null where nothing was ever published. Whoever is about to write mends the
 * pointer first, and takes over what was published before there was a log.
 * @throws CommandError log_unreadable
 */
export async function openLog(
  target: SnapshotTarget,
  { writes }: { readonly writes: boolean },
): Promise<LogEntry | null> {
  const pointer = await readPointer(target);
  const head = await readHead(target.ledger, pointer?.number);
  if (!head) return pointer && takeOver(target, pointer, writes);
  if (writes) await mendPointer(target, head, pointer);
  return head;
}

/** What is live, for whoever only looks. */
export function readLive(target: SnapshotTarget): Promise<LogEntry | null> {
  return openLog(target, { writes: false });
}
