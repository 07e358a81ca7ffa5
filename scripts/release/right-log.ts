/**
 * One log, one environment, one place: a checkout with another bucket or namespace in its configuration
 * must neither write nor delete anything there.
 */
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readHead } from './log.ts';
import type { LogEntry, Stay } from './log-entry.ts';

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

/** @throws CommandError wrong_log */
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
