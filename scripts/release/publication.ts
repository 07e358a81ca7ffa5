/** A publication: what it is asked to do, what it would write, and what came of it. */

import {
  type Manifest,
  type ObjectRef,
  objectHash,
  type PublishedManifest,
} from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { totalBytes } from '../build/measure-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { visible } from '../cli/output.ts';
import type { Signature } from '../cli/signature-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readStays } from './history.ts';
import { type LogEntry, nameOf, type Stay } from './log-entry.ts';
import { nameGeneration } from './log-rule.ts';
import {
  listObjects,
  type ObjectTally,
  type ObjectWatch,
  type StoredGeneration,
  tally,
} from './objects.ts';
import { openLog, readLive } from './open-log.ts';
import { PublishedReleases } from './published-objects.ts';

/** Keys that are written besides the objects: the release, the pointer, and the time of the run. */
export const OTHER_WRITES = 3;

export interface PublishOptions extends ObjectWatch {
  /** Who publishes, and what they say about it. */
  readonly signature: Signature;
  /** Whether everything is uploaded anew, which heals whatever was lost or damaged. */
  readonly afresh?: boolean;
  /** Whether a new log is begun in the place of what is there, which is not read then. */
  readonly beginLog?: boolean;
  /** Whether everything is done but writing. */
  readonly dryRun?: boolean;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** What has been read to decide by; without it, what there is when publishing begins. */
  readonly seen?: Seen;
  /** Told what went wrong without ending the work. */
  readonly remark?: (text: string) => void;
  /** Told of the plan before anything is uploaded. */
  readonly onPlan?: (plan: PublicationPlan) => Promise<void>;
}

export interface Publication {
  readonly release: string;
  /** Number of the log's entry that put it live; null in a rehearsal. */
  readonly number: number | null;
  /** The release that was live before; null when there was none. */
  readonly previous: string | null;
  /** Its name, as partners see it. */
  readonly previousName: string | null;
  /** True when the release was live before. */
  readonly alreadyLive: boolean;
  readonly storeCount: number;
  readonly uploaded: ObjectTally;
  /** Objects that were there already. */
  readonly reused: ObjectTally;
}

/**
 * What a publication comes to.
 * @param number of the log's entry, if there is one
 * @param objects all of the release
 * @param uploaded those of them that were uploaded; one that was uploaded twice is there twice
 */
export function describePublication(
  { release, storeCount }: Manifest,
  head: LogEntry | null,
  number: number | null,
  objects: readonly ObjectRef[],
  uploaded: readonly ObjectRef[],
): Publication {
  const sent = new Set(uploaded.map(({ hash }) => hash));
  return {
    release,
    number,
    previous: head?.manifest.release ?? null,
    previousName: head && nameOf(head),
    alreadyLive: head?.manifest.release === release,
    storeCount,
    uploaded: tally(uploaded),
    reused: tally(objects.filter(({ hash }) => !sent.has(hash))),
  };
}

/** The error of a command that lost against another decision. */
export function conflict(head: LogEntry | null, { release }: Manifest): CommandError {
  const live = head && { release: head.manifest.release, number: head.number, by: head.by };
  const state = head ? `release ${nameOf(head)} by ${visible(head.by)}` : 'nothing';
  const message = `another command has decided meanwhile: live is ${state}, release ${release} is not; look at what is live and publish again`;
  return new CommandError(message, { code: 'publish_conflict', details: { live } });
}

/** @throws CommandError publication_held */
export function refuseHeld(head: LogEntry | null): void {
  if (!head?.hold) return;
  const { by, at, note } = head.hold;
  const why = note === null ? '' : ` ("${visible(note)}")`;
  const message = `publishing is held since ${at} by ${visible(by)}${why}: release ${head.manifest.release} stays live; snapshot resume ends that`;
  throw new CommandError(message, { code: 'publication_held', details: { hold: head.hold } });
}

/** A generation that weighs so many times what is live takes no more publications. */
const MOST_WEIGHT = 4;

export interface PublicationPlan {
  /** With the generation that is written into. */
  readonly manifest: PublishedManifest;
  /** Every object of the release. */
  readonly objects: readonly ObjectRef[];
  /** Those that are to be uploaded. */
  readonly missing: readonly ObjectRef[];
}

/** What a publication was decided by. */
export interface Seen {
  /** The last entry of the log; null when there is none. */
  readonly head: Stay | null;
  /** What has been live, the latest first, as far back as is judged: read once, on demand. */
  readonly readStays: () => Promise<readonly Stay[]>;
  /** What has been read of published releases; saves reading it again. */
  readonly published: PublishedReleases;
  /** What lies in storage; null where it was not listed. */
  readonly generations: ReadonlyMap<string, StoredGeneration> | null;
}

/** What a publication that begins now goes by. @throws CommandError wrong_log, log_unreadable, pointer_behind */
export async function see(
  target: SnapshotTarget,
  { beginLog, dryRun, remark }: Pick<PublishOptions, 'beginLog' | 'dryRun' | 'remark'>,
): Promise<Seen> {
  const open = () => (dryRun ? readLive(target) : openLog(target, remark));
  const log = logUpTo(target, beginLog ? null : await open());
  return { ...log, published: new PublishedReleases(target), generations: null };
}

/** The log up to its last entry. */
export function logUpTo(
  { ledger }: SnapshotTarget,
  head: Stay | null,
): Pick<Seen, 'head' | 'readStays'> {
  let stays: ReturnType<typeof readStays> | undefined;
  return {
    head,
    readStays: () => {
      stays ??= readStays(ledger, head);
      return stays;
    },
  };
}

/**
 * Plans a publication into the newest generation, or into a new one.
 * @throws CommandError snapshot_damaged when the release's list of chunks is missing or damaged
 */
export async function planPublication(
  compiled: CompiledRelease,
  { ledger }: SnapshotTarget,
  seen: Seen,
  { afresh }: Pick<PublishOptions, 'afresh'>,
): Promise<PublicationPlan> {
  const { head } = seen;
  const goesOn = head !== null && !afresh && !isOverweight(head, seen);
  const generation = goesOn ? head.newest : nameGeneration(await ledger.now(), head);
  const there = goesOn ? await namedBy(head, seen) : new Set<string>();
  const objects = await listCompiled(compiled);
  const missing = objects.filter(({ hash }) => !there.has(hash));
  return { manifest: { ...compiled.manifest, generation }, objects, missing };
}

/** Every object of the compilation. */
export function listCompiled(compiled: CompiledRelease): Promise<ObjectRef[]> {
  return listObjects(compiled.manifest, (hash) => readWhole(compiled, hash));
}

function isOverweight({ manifest, newest }: Stay, { generations }: Seen): boolean {
  return (generations?.get(newest)?.bytes ?? 0) > MOST_WEIGHT * totalBytes(manifest);
}

/**
 * Hashes of what the newest release of the newest generation names: it was confirmed before it went
 * live, and nothing of a generation is deleted before all of it. After a rollback the live one may lie
 * elsewhere.
 */
async function namedBy(head: Stay, { readStays, published }: Seen): Promise<ReadonlySet<string>> {
  const isIn = ({ manifest }: Stay) => manifest.generation === head.newest;
  const newest = isIn(head) ? head : (await readStays()).find(isIn);
  const objects = newest ? await published.listIfSound(newest.manifest) : [];
  return new Set(objects.map(({ hash }) => hash));
}

/** The bytes of an object of the compilation. @throws CommandError when they are not what they were */
export async function readWhole(
  { readObject }: CompiledRelease,
  hash: string,
): Promise<Uint8Array> {
  const bytes = await readObject(hash);
  if (bytes && (await objectHash(bytes)) === hash) return bytes;
  const message = `object ${hash} of the snapshot is ${bytes ? 'damaged' : 'missing'}: build it again`;
  throw new CommandError(message, { code: 'snapshot_damaged' });
}
