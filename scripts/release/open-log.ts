/**
 * The log as every command begins with it, and the pointer, which is what Workers read: a copy of the log's
 * last entry. KV has no compare-and-set and is read late, so nothing is decided by it.
 *
 * One log, one environment, one place: a checkout with another bucket or namespace in its configuration must
 * neither write nor delete anything there. `publish --begin-log` begins a new log where that is wanted.
 *
 * Each writer of the pointer reads the log again afterwards, and writes once more if the log has moved on: of
 * two who write at the same time, the one whose write comes last sees both entries.
 */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  FORMAT_VERSION,
  logPrefix,
  POINTER_KEY,
  pointerKeyIn,
  releaseKey,
} from '../../src/snapshot/keys.ts';
import { type LiveRelease, type Pointer, pointerSchema } from '../../src/snapshot/manifest.ts';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import { API_WRITES_USED_UP } from '../storage/api-answer.ts';
import {
  encodeJson,
  listKeys,
  parseJson,
  type Site,
  type SnapshotTarget,
} from '../storage/key-value-store.ts';
import { type Log, nextHead, readHead } from './log.ts';
import { type Decision, type LogEntry, nameOf, pointerOf } from './log-entry.ts';
import { findMissing, publishedReleases } from './objects.ts';

export interface OpenOptions {
  /** Whether nothing is to be written. */
  readonly dryRun?: boolean;
  /** Whether a new log is begun in the place of what is there, which is not read then. */
  readonly beginLog?: boolean;
}

/** Reads the pointer and then the log, so that a pointer is never newer than the log that is read. */
export async function readState(target: SnapshotTarget) {
  const pointer = await readPointer(target);
  return { pointer, head: await readHead(target.ledger) };
}

/** Returns the log, for commands that only read. @throws CommandError wrong_log, log_unreadable */
export async function readLog(target: SnapshotTarget): Promise<Log> {
  const state = await readState(target);
  if (!isRightLog(target, state)) throw wrongLog(target, state);
  const { head, pointer } = state;
  const isShown = head === null || isDeepStrictEqual(pointer, pointerOf(head));
  return { head, isShown, open: publishedReleases(target) };
}

/**
 * Returns the log, for commands that write: a pointer that a killed command left behind is brought up first, if all
 * that it would lead to is there.
 * @throws CommandError wrong_log, log_unreadable, pointer_behind
 */
export async function openLog(
  target: SnapshotTarget,
  { dryRun, beginLog }: OpenOptions = {},
): Promise<Log> {
  if (beginLog) return { head: null, isShown: true, open: publishedReleases(target) };
  const log = await readLog(target);
  if (!log.head || log.isShown || dryRun) return log;
  return { ...log, isShown: await bringUpPointer(target, log.head) };
}

/**
 * Writes the pointer to a release that others have confirmed, unless objects of it are missing, which is told.
 * @returns whether it was written
 * @throws CommandError pointer_behind
 */
export async function bringUpPointer(target: SnapshotTarget, head: Decision): Promise<boolean> {
  const missing = await findMissing(target, head.manifest);
  if (missing.length === 0) {
    await writePointer(target, head);
    return true;
  }
  const fault = `release ${nameOf(head)} is live by the log, but ${missing.length} of its objects are missing, such as ${missing[0]}, so that the pointer to it, which Workers read, was not written; publish --afresh uploads everything anew`;
  target.context.remark(`warning: ${fault}`);
  return false;
}

/** Builds the error of commands that need a live release where there is none. */
export function nothingLiveError(): CommandError {
  return new CommandError(
    'nothing is live here yet; snapshot publish puts stores live',
    'nothing_live',
  );
}

/** Returns the pointer as Workers may see it; null when there is none. */
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
  if (last.number !== head.number) await copy(target, last);
}

/** The oldest version of the format whose snapshots may be anywhere. */
export const OLDEST_VERSION = 4;

/** What log and pointer show. */
type LogState = Awaited<ReturnType<typeof readState>>;

/** Returns whether log and pointer belong together, and to the environment and place of `target`. */
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
  const message = `${own}, but ${log}, and ${shown}; nothing was written or deleted`;
  return new CommandError(message, 'wrong_log', {
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

function siteText({ environment, place }: Site): string {
  return `${visible(environment)} at ${visible(place)}`;
}

/** Names a new log, which takes the place of the one that log and pointer show. */
export function nameLog({ site }: SnapshotTarget, { pointer, head }: LogState): LogEntry['log'] {
  const shown = pointer === 'unreadable' ? null : pointer;
  // Those that the last one replaced, too: where two were begun at once a late pointer may be of either.
  const replaces = [shown?.log.id ?? [], head?.log.id ?? [], head?.log.replaces ?? []].flat();
  return { id: randomUUID(), ...site, replaces: [...new Set(replaces)] };
}

/** Only what may hold a number matters of other documents. */
const numberedSchema = z.looseObject({ number: z.int().min(1) });

/**
 * Finds the number of a new log's first entry: above all that logs and pointers of any version show, damaged or not.
 */
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
