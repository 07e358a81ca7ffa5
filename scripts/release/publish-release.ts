/**
 * Puts a compiled release live, so that a reader sees the old release or the new one whole:
 *
 *  1. the log has been read: that decides into which generation is written, and which number the entry
 *     will have;
 *  2. what the generation lacks is uploaded, and a sample of that is read back;
 *  3. the entry of the log, which is the one decision: only if no other one was made meanwhile. A run
 *     that finds its number taken begins anew at 1 where the same stores are live and held or not as
 *     before, else it ends with publish_conflict;
 *  4. the release by its name, and the pointer, a copy of that entry.
 *
 * Whatever stops it before 3 leaves the old release live. What stops it after 3 leaves the pointer behind,
 * which the next command that writes brings up.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { Signature } from '../cli/signature-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { append, type Log, logFrom, nextHead } from './log.ts';
import { asBefore, type Decision, type LogEntry, nameOf } from './log-entry.ts';
import { type ObjectWatch, tally } from './objects.ts';
import { type OpenOptions, openLog, readState } from './open-log.ts';
import { writePointer } from './pointer-copy.ts';
import { firstNumber, isRightLog, nameLog } from './right-log.ts';
import {
  OTHER_WRITES,
  planPublication,
  type UploadOptions,
  type UploadPlan,
  writeObjects,
} from './write-objects.ts';

export interface PublishOptions extends ObjectWatch, OpenOptions, UploadOptions {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** The log that has been read to decide by; without it, as it is when publishing begins. */
  readonly log?: Log;
  /** Told of the plan before anything is uploaded. */
  readonly onPlan?: (plan: UploadPlan) => Promise<void>;
}

/**
 * Publishes `compiled` to `target`.
 * @throws CommandError publication_held; publish_conflict when another command has decided meanwhile;
 *   others when an object is damaged, or reads back differently
 */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<Publication> {
  const { afresh = false, dryRun = false } = options;
  const { manifest } = compiled;
  const log = options.log ?? (await openLog(target, options));
  const { head } = log;
  refuseHeld(head);
  if (head?.manifest.release === manifest.release && !afresh) {
    return describePublication(manifest, head, dryRun ? null : head.number, []);
  }
  if (!dryRun) return putLive(compiled, target, log, options);
  const plan = await planPublication(compiled, target, log, options);
  await options.onPlan?.(plan);
  for (const object of plan.missing) {
    options.signal?.throwIfAborted();
    await plan.read([object]);
  }
  return describePublication(manifest, head, null, plan.missing);
}

/** Begins anew when another entry that changes nothing here has its number. */
async function putLive(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  first: Log,
  options: PublishOptions,
): Promise<Publication> {
  const { manifest } = compiled;
  let uploaded: readonly ObjectRef[] = [];
  // What was written into a generation that this publication began counts until the log gives that up.
  let own: UploadPlan | null = null;
  for (let log = first; ; ) {
    const { head } = log;
    const place = await findPlace(manifest, target, head, options);
    const plan: UploadPlan = own ?? (await planPublication(compiled, target, log, options));
    if (log === first) await options.onPlan?.(plan);
    await writeObjects(target, plan, options);
    uploaded = [...uploaded, ...plan.missing];
    options.signal?.throwIfAborted();
    const at = new Date(await target.ledger.now()).toISOString();
    const entry = { ...decide(head, plan, uploaded, at, options), ...place };
    if (await append(target, entry)) {
      await writePointer(target, entry);
      return describePublication(manifest, head, entry.number, uploaded);
    }
    log = logFrom(target, await lookAgain(manifest, target, head));
    const { generation } = plan.manifest;
    const { isGivenUp } = await log.rule();
    const isOwn = generation !== head?.newest && !isGivenUp(generation);
    own = isOwn ? { ...plan, missing: [] } : null;
  }
}

/** Where the entry will stand: after the one that was read before, or as the first of a new log. */
async function findPlace(
  manifest: Manifest,
  target: SnapshotTarget,
  head: LogEntry | null,
  { beginLog }: PublishOptions,
): Promise<Pick<LogEntry, 'log' | 'number'>> {
  if (head) return { log: head.log, number: head.number + 1 };
  // First the number: who decides after it was read takes it.
  const number = await firstNumber(target);
  const state = await readState(target);
  if (state.head && !beginLog) throw conflict(state.head, manifest);
  // A log that is right may be begun anew, but not past a hold.
  if (isRightLog(target, state)) refuseHeld(state.head);
  return { log: nameLog(target, state), number };
}

/** @param at by the clock of the storage */
function decide(
  head: LogEntry | null,
  { manifest }: UploadPlan,
  uploaded: readonly ObjectRef[],
  at: string,
  { accepted = [], signature }: PublishOptions,
): Omit<Decision, 'log' | 'number'> {
  const { bytes, objects } = tally(uploaded);
  return {
    ...signature,
    kind: 'publish',
    manifest,
    newest: manifest.generation,
    publishedAt: at,
    before: head && asBefore(head),
    back: head?.number ?? null,
    hold: null,
    cost: { writes: objects + OTHER_WRITES, bytes },
    accepted: [...accepted],
  };
}

/**
 * What has been decided meanwhile.
 * @throws CommandError publish_conflict, unless the same stores stay live, with the same right to publish
 */
async function lookAgain(
  manifest: Manifest,
  target: SnapshotTarget,
  head: LogEntry | null,
): Promise<LogEntry> {
  const last = await nextHead(target, head);
  const isSameRelease = last?.manifest.release === head?.manifest.release;
  if (last && isSameRelease && isDeepStrictEqual(last.hold, head?.hold)) return last;
  throw conflict(last, manifest);
}

/**
 * What a publication comes to.
 * @param number of the log's entry, if there is one
 * @param uploaded those of its objects that were uploaded; one that was uploaded twice is there twice
 */
function describePublication(
  { release, storeCount }: Manifest,
  head: LogEntry | null,
  number: number | null,
  uploaded: readonly ObjectRef[],
) {
  return {
    release,
    /** Null in a rehearsal. */
    number,
    /** The release that was live before; null when there was none. */
    previous: head?.manifest.release ?? null,
    /** Its name, as partners see it. */
    previousName: head && nameOf(head),
    /** True when the release was live before. */
    alreadyLive: head?.manifest.release === release,
    storeCount,
    uploaded: tally(uploaded),
  };
}

export type Publication = ReturnType<typeof describePublication>;

/** The error of a command that lost against another decision. */
function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
  const live = head && { release: head.manifest.release, number: head.number, by: head.by };
  const state = head ? `release ${nameOf(head)} by ${visible(head.by)}` : 'nothing';
  const message = `another command has decided meanwhile: live is ${state}, release ${release} is not; look at what is live and publish again`;
  return new CommandError(message, 'publish_conflict', { details: { live } });
}

/** @throws CommandError publication_held */
export function refuseHeld(head: LogEntry | null): void {
  if (!head?.hold) return;
  const { by, at, note } = head.hold;
  const why = note === null ? '' : ` ("${visible(note)}")`;
  const message = `publishing is held since ${at} by ${visible(by)}${why}: release ${head.manifest.release} stays live; snapshot resume ends that`;
  throw new CommandError(message, 'publication_held', { details: { hold: head.hold } });
}
