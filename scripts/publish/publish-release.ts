/**
 * Puts a compiled release live, so that a reader sees the old release or the new one whole:
 * objects that are not there yet, each of them read back, the release's manifest, read back too,
 * and only then the pointer. Whatever stops it before that leaves the old release live, and a
 * second run finishes the work.
 *
 * The manifest comes after reading back: a release that is listed, and that a rollback may choose,
 * was whole once.
 */
import { objectKey } from '../../src/snapshot/keys.ts';
import type { Manifest, ObjectRef, Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { forEachObject, type ObjectTally, type ObjectWatch, tally } from './each-object.ts';
import { recordLive, recordPublication } from './history.ts';
import { putAll } from './in-bulk.ts';
import type { Lease } from './lease.ts';
import {
  isSound,
  listObjectKeys,
  type PublicationPlan,
  planPublication,
  readWhole,
} from './plan-publication.ts';
import { isPublicationOf, readRelease, writeRelease } from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';
import { expectPointer, turnPointer } from './turn-pointer.ts';

export interface PublishOptions extends ObjectWatch {
  /** Who publishes, for the record. */
  readonly author: string;
  /** When, for the record and for readers' Last-Modified. */
  readonly now: Date;
  /**
   * The pointer that was looked at before deciding to publish; null when there was none. Without
   * it, the pointer as it is when publishing begins.
   */
  readonly expected?: Pointer | null;
  /** Guards over whose limits it is published, for those who compare with it later. */
  readonly accepted?: readonly string[];
  /** What keeps pruning away meanwhile. */
  readonly lease?: Lease;
}

export interface Publication {
  readonly release: string;
  /** The release that was live before; null when there was none. */
  readonly previous: string | null;
  /** True when the release was live and whole before: nothing was written. */
  readonly alreadyLive: boolean;
  readonly storeCount: number;
  readonly uploaded: ObjectTally;
  /** Objects that were there already. */
  readonly reused: ObjectTally;
}

/**
 * Publishes `compiled` to `target`.
 * @throws CommandError when an object is missing or damaged, or reads back differently; when
 *   somebody else has published meanwhile
 */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<Publication> {
  const plan = await planPublication(compiled, target, options);
  if (!plan.isLive) await carryOut(plan, compiled, target, options);
  return describePlan(compiled.manifest, plan);
}

/** Does everything that publishing does except writing, and returns what it would have come to. */
export async function rehearsePublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: ObjectWatch,
): Promise<Publication> {
  const plan = await planPublication(compiled, target, options);
  await forEachObject('Checking', plan.missing, options, async ({ hash }) => {
    await readWhole(compiled, hash);
  });
  return describePlan(compiled.manifest, plan);
}

async function carryOut(
  plan: PublicationPlan,
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<void> {
  const { manifest } = compiled;
  const { now, signal, lease, accepted, expected = plan.live } = options;
  const next = { manifest, publishedAt: now.toISOString() };
  expectPointer(plan.live, expected, next);
  await uploadObjects(compiled, plan.missing, target, options);
  await readBack(plan.missing, target, options);
  if (!plan.isPublished) await publishManifest(manifest, target, options);
  await confirmReused(plan.present, target);
  if (plan.live) await recordLive(target, plan.live);
  signal?.throwIfAborted();
  lease?.assertHeld();
  await turnPointer(target, expected, next);
  // The release is live whatever becomes of this; whoever turns the pointer next records it too.
  await recordPublication(target, plan.live, next, accepted).catch(() => {});
}

function describePlan(
  { release, storeCount }: Manifest,
  { live, isLive, missing, present }: PublicationPlan,
): Publication {
  return {
    release,
    previous: live?.manifest.release ?? null,
    alreadyLive: isLive,
    storeCount,
    uploaded: tally(missing),
    reused: tally(present),
  };
}

async function uploadObjects(
  compiled: CompiledRelease,
  objects: readonly ObjectRef[],
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<void> {
  const { progress, signal } = options;
  const uploads = objects.map(({ hash, bytes }) => ({
    key: objectKey(hash),
    size: bytes,
    read: async () => {
      signal?.throwIfAborted();
      return readWhole(compiled, hash);
    },
  }));
  let done = 0;
  progress.begin('Uploading', tally(objects).bytes, 'bytes');
  await putAll(target, uploads, ({ size }) => {
    done += size;
    progress.update(done);
  });
}

async function readBack(
  objects: readonly ObjectRef[],
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<void> {
  await forEachObject('Reading back', objects, options, async ({ hash }) => {
    if (await isSound(target, hash)) return;
    // The next run uploads what is missing, and may take what is there for sound.
    await target.delete(objectKey(hash)).catch(() => {});
    throw readBackError(`object ${hash}`);
  });
}

/** Looks again for what was there at the start: somebody may have deleted it by hand. */
async function confirmReused(objects: readonly ObjectRef[], target: SnapshotTarget): Promise<void> {
  const there = await listObjectKeys(target);
  const gone = objects.find(({ hash }) => !there.has(objectKey(hash)));
  if (!gone) return;
  const message = `object ${gone.hash} was deleted meanwhile; the live release stays, publish again`;
  throw new CommandError(message, { code: 'object_deleted' });
}

async function publishManifest(
  manifest: Manifest,
  target: SnapshotTarget,
  { author, now }: PublishOptions,
): Promise<void> {
  await writeRelease(target, { ...manifest, publishedAt: now.toISOString(), author });
  const written = await readRelease(target, manifest.release);
  if (!isPublicationOf(written, manifest)) throw readBackError(`release ${manifest.release}`);
}

function readBackError(what: string): CommandError {
  const message = `${what} was written but reads back differently; the live release stays`;
  return new CommandError(message, { code: 'read_back_failed' });
}
