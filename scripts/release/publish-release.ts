/**
 * Puts a compiled release live (the fourth step of `commands/publish.ts`), so that a reader sees the old release or the
 * new one whole:
 *
 *  1. the log has been read: that decides which number the entry will have;
 *  2. what the newest generation lacks, or all for a new one, is uploaded, and a sample of that is read back;
 *  3. the entry of the log, which is the one decision: only if no other one was made meanwhile. A run
 *     that finds its number taken begins anew at 2 where the same stores are live and held or not as
 *     before, else it ends with publish_conflict;
 *  4. the release by its name, and the pointer, a copy of that entry.
 *
 * Whatever stops it before 3 leaves the old release live. What stops it after 3 leaves the pointer behind,
 * which the next command that writes brings up.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Manifest, ObjectRef, PublishedManifest } from '../../src/snapshot/manifest.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Signature } from '../cli/common-options.ts';
import { visible } from '../cli/output.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { append, type Log, nextHead, readEntries, readHead } from './log.ts';
import { asBefore, type Decision, judgeLog, type LogEntry, nameOf } from './log-entry.ts';
import { type StoredGenerations, tally } from './objects.ts';
import {
  firstNumber,
  isRightLog,
  nameLog,
  type OpenOptions,
  readState,
  writePointer,
} from './open-log.ts';
import { planUpload, tellCost, writeObjects } from './write-objects.ts';

export interface PublishOptions extends OpenOptions {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** Whether everything is uploaded anew, although it may be live already. */
  readonly afresh?: boolean;
  /** What lies in storage, where that was listed. */
  readonly generations?: StoredGenerations | null;
}

/**
 * Puts a release live, unless it is. Begins anew at step 2 where another entry that changes nothing here has the number.
 * @throws CommandError publish_conflict when another command has decided meanwhile; others when an object is damaged,
 *   or reads back differently
 */
export async function putLive(
  release: ReleaseReader,
  target: SnapshotTarget,
  log: Log,
  options: PublishOptions,
): Promise<Publication> {
  const { manifest } = release;
  const { afresh, generations } = options;
  const { signal } = target.context;
  let { head } = log;
  if (head?.manifest.release === manifest.release && !afresh) {
    return publicationData(manifest, head, head.number, [], null);
  }
  let location = await findLocation(manifest, target, head, options);
  let plan = await planUpload(release, target, log, afresh, generations);
  const cost = tellCost(target, plan);
  if (options.dryRun) {
    // What cannot be read is not sound.
    for (const object of plan.missing) {
      signal.throwIfAborted();
      await plan.read([object]);
    }
    return publicationData(manifest, head, null, plan.missing, cost);
  }
  let uploaded: readonly ObjectRef[] = [];
  for (;;) {
    await writeObjects(target, plan);
    uploaded = [...uploaded, ...plan.missing];
    signal.throwIfAborted();
    const at = new Date(await target.ledger.now()).toISOString();
    const entry = { ...location, ...nextEntry(head, plan.manifest, at, options) };
    if (await append(target, entry)) {
      await writePointer(target, entry);
      return publicationData(manifest, head, entry.number, uploaded, cost);
    }
    const { generation } = plan.manifest;
    const isOwn = generation !== head?.newest;
    head = await lookAgain(manifest, target, head);
    location = after(head);
    // What was written into a generation that this publication began counts until the log gives that up.
    const isThere = isOwn && !judgeLog(await readEntries(target, head)).isGivenUp(generation);
    plan = isThere
      ? { ...plan, missing: [] }
      : await planUpload(release, target, { ...log, head }, afresh, generations);
  }
}

const after = ({ log, number }: LogEntry) => ({ log, number: number + 1 });

/** Returns where the entry will stand: after the one that was read before, or as the first of a new log. */
async function findLocation(
  manifest: Manifest,
  target: SnapshotTarget,
  head: LogEntry | null,
  { beginLog }: PublishOptions,
): Promise<Pick<LogEntry, 'log' | 'number'>> {
  if (head) return after(head);
  // First the number: who decides after it was read takes it.
  const number = await firstNumber(target);
  const state = await readState(target);
  if (state.head && !beginLog) throw conflict(state.head, manifest);
  // A log that is right may be begun anew, but not past a hold.
  if (isRightLog(target, state)) refuseHeld(state.head);
  return { log: nameLog(target, state), number };
}

/** Makes the next entry. @param at by the clock of the storage */
function nextEntry(
  head: LogEntry | null,
  manifest: PublishedManifest,
  at: string,
  { accepted = [], signature }: PublishOptions,
): Omit<Decision, 'log' | 'number'> {
  return {
    ...signature,
    kind: 'publish',
    manifest,
    newest: manifest.generation,
    publishedAt: at,
    before: head && asBefore(head),
    back: head?.number ?? null,
    hold: null,
    accepted: [...accepted],
  };
}

/**
 * Reads what has been decided meanwhile.
 * @throws CommandError publish_conflict, unless the same stores stay live, with the same right to publish
 */
async function lookAgain(
  manifest: Manifest,
  target: SnapshotTarget,
  head: LogEntry | null,
): Promise<LogEntry> {
  const last = head ? await nextHead(target, head) : await readHead(target.ledger);
  const isSameRelease = last?.manifest.release === head?.manifest.release;
  if (last && isSameRelease && isDeepStrictEqual(last.hold, head?.hold)) return last;
  throw conflict(last, manifest);
}

/**
 * Returns what a publication has done, for programs.
 * @param number of the log's entry; null in a rehearsal
 * @param uploaded its objects that were uploaded; an object that was uploaded twice is there twice
 * @param cost null when nothing had to be done, and on this machine
 */
function publicationData(
  { release, storeCount }: Manifest,
  head: LogEntry | null,
  number: number | null,
  uploaded: readonly ObjectRef[],
  cost: ReturnType<typeof tellCost>,
) {
  return {
    release,
    number,
    /** The release that was live before; null when there was none. */
    previous: head?.manifest.release ?? null,
    /** Its name, as partners see it. */
    previousName: head && nameOf(head),
    /** True when the release was live before. */
    alreadyLive: head?.manifest.release === release,
    storeCount,
    uploaded: tally(uploaded),
    cost,
  };
}

export type Publication = ReturnType<typeof publicationData>;

/** Builds the error of a command that lost against another decision. */
function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
  const live = head && { release: head.manifest.release, number: head.number, by: head.by };
  const state = head ? `release ${nameOf(head)} by ${visible(head.by)}` : 'nothing';
  const message = `another command has decided meanwhile: live is ${state}, release ${release} is not; look at what is live and publish again`;
  return new CommandError(message, 'publish_conflict', { details: { live } });
}

/** Refuses to publish while a rollback holds publishing. @throws CommandError publication_held */
export function refuseHeld(head: LogEntry | null): void {
  if (!head?.hold) return;
  const { by, at, note } = head.hold;
  const why = note === null ? '' : ` ("${visible(note)}")`;
  const message = `publishing is held since ${at} by ${visible(by)}${why}: release ${head.manifest.release} stays live; snapshot resume ends that`;
  throw new CommandError(message, 'publication_held', { details: { hold: head.hold } });
}
