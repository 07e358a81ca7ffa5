/**
 * One log, one environment, one place: a checkout with another bucket or namespace in its
 * configuration must neither write nor delete anything there. `publish --begin-log` begins a new log
 * where that is wanted.
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { FORMAT_VERSION, logPrefix, pointerKeyIn } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import { listKeys, parseJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import type { LogEntry } from './log-entry.ts';

/** The oldest version of the format whose snapshots may be anywhere. */
export const OLDEST_VERSION = 4;

/** What log and pointer show. */
export interface LogState {
  readonly pointer: Pointer | 'unreadable' | null;
  readonly head: LogEntry | null;
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

export function wrongLog({ site }: SnapshotTarget, { pointer, head }: LogState): CommandError {
  const own = `this command works on ${siteText(site)}`;
  const log = head ? `the log is that of ${describe(head)}` : 'there is no log in the bucket';
  const shown =
    pointer === 'unreadable'
      ? 'the pointer cannot be read'
      : pointer
        ? `the pointer is that of ${describe(pointer)}`
        : 'there is no pointer';
  const message = `${own}, but ${log}, and ${shown}; nothing was written or deleted`;
  return new CommandError(message, 'wrong_log', {
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

/** What a new log is called, which takes the place of what log and pointer show. */
export function nameLog({ site }: SnapshotTarget, { pointer, head }: LogState): LogEntry['log'] {
  const shown = pointer === 'unreadable' ? null : pointer;
  // Those that the last one replaced, too: where two were begun at once a late pointer may be of either.
  const replaces = [shown?.log.id ?? [], head?.log.id ?? [], head?.log.replaces ?? []].flat();
  return { id: randomUUID(), ...site, replaces: [...new Set(replaces)] };
}

/** Only what may hold a number matters of other documents. */
const numberedSchema = z.looseObject({ number: z.int().min(1) });

/** The number of its first entry: above all that logs and pointers of any version show, damaged or not. */
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
