/** A publication: what it is asked to do, what it would write, and what came of it. */

import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { totalBytes } from '../build/measure-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { Signature } from '../cli/signature-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { Log } from './log.ts';
import { type LogEntry, nameOf } from './log-entry.ts';
import { nameGeneration } from './log-rule.ts';
import {
  isWhole,
  listObjects,
  type ObjectWatch,
  type StoredGenerations,
  tally,
} from './objects.ts';
import type { OpenOptions } from './open-log.ts';
import type { UploadPlan } from './write-objects.ts';

/** Keys that are written besides the objects: the release, the pointer, and the time of the run. */
export const OTHER_WRITES = 3;

export interface PublishOptions extends ObjectWatch, OpenOptions {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /** Whether everything is uploaded anew, which heals whatever was lost or damaged. */
  readonly afresh?: boolean;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** The log that has been read to decide by; without it, as it is when publishing begins. */
  readonly log?: Log;
  /** What lies in storage, where that was listed. */
  readonly generations?: StoredGenerations | null;
  /** Told of the plan before anything is uploaded. */
  readonly onPlan?: (plan: UploadPlan) => Promise<void>;
}

/**
 * What a publication comes to.
 * @param number of the log's entry, if there is one
 * @param uploaded those of its objects that were uploaded; one that was uploaded twice is there twice
 */
export function describePublication(
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
export function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
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

/** A generation that weighs so many times what is live takes no more publications. */
const MOST_WEIGHT = 4;

/**
 * Plans a publication into the newest generation, or into a new one.
 * @throws CommandError snapshot_damaged when the release's list of chunks is missing or damaged
 */
export async function planPublication(
  compiled: CompiledRelease,
  { ledger }: SnapshotTarget,
  log: Log,
  { afresh, generations }: Pick<PublishOptions, 'afresh' | 'generations'>,
): Promise<UploadPlan> {
  const { head } = log;
  const stored = tally((head && generations?.get(head.newest)) ?? []);
  const goesOn = head && !afresh && stored.bytes <= MOST_WEIGHT * totalBytes(head.manifest);
  const generation = goesOn ? head.newest : nameGeneration(await ledger.now(), head);
  const there = goesOn ? await namedBy(log, generation) : new Set<string>();
  const readObjects = (refs: readonly ObjectRef[]) => readWhole(compiled, refs);
  const objects = await listObjects({ ...compiled, readObjects });
  return {
    manifest: { ...compiled.manifest, generation },
    missing: objects.filter(({ hash }) => !there.has(hash)),
    read: readObjects,
  };
}

/**
 * Hashes of what the newest release of the newest generation names: it was confirmed before it went
 * live, and nothing of a generation is deleted before all of it. After a rollback the live one may lie
 * elsewhere.
 */
async function namedBy(log: Log, newest: string): Promise<ReadonlySet<string>> {
  const isIn = ({ manifest }: LogEntry) => manifest.generation === newest;
  const entry = log.head && isIn(log.head) ? log.head : (await log.entries()).find(isIn);
  const objects = entry && (await log.releases.listIfSound(entry.manifest));
  return new Set(objects?.map(({ hash }) => hash));
}

/** The bytes of objects of the compilation. @throws CommandError when they are not what they were */
async function readWhole(
  { readObjects }: CompiledRelease,
  refs: readonly ObjectRef[],
): Promise<readonly Uint8Array[]> {
  const values = await readObjects(refs);
  for (const [place, { hash }] of refs.entries()) {
    const bytes = values[place];
    if (await isWhole(bytes, hash)) continue;
    const message = `object ${hash} of the snapshot is ${bytes ? 'damaged' : 'missing'}: build it again`;
    throw new CommandError(message, 'snapshot_damaged');
  }
  return values as readonly Uint8Array[];
}
