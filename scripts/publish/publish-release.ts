/**
 * Puts a compiled release live, so that a reader sees the old release or the new one whole:
 * objects that are not there yet, the release's manifest, everything written read back, and only
 * then the pointer. Whatever stops it before that leaves the old release live, and a second run
 * finishes the work.
 */
import { sha256 } from '../../src/snapshot/hash.ts';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import type { Manifest, ObjectRef } from '../../src/snapshot/manifest.ts';
import { listObjects } from '../../src/snapshot/object-list.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Progress } from '../cli/progress.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { forEachInFlight } from './in-flight.ts';
import {
  isPublicationOf,
  readPointer,
  readRelease,
  writePointer,
  writeRelease,
} from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

/** Writes and reads under way at once: the fastest way into local storage. */
const IN_FLIGHT = 16;

export interface PublishOptions {
  /** Who publishes, for the record. */
  readonly author: string;
  /** When, for the record and for readers' Last-Modified. */
  readonly now: Date;
  readonly progress: Progress;
  /** When aborted, publishing stops before its next step. */
  readonly signal?: AbortSignal;
}

export interface ObjectTally {
  readonly objects: number;
  readonly bytes: number;
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
 * @throws CommandError when an object is missing or damaged, or reads back differently
 */
export async function publishRelease(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<Publication> {
  const { manifest } = compiled;
  const { release, storeCount } = manifest;
  const pointer = await readPointer(target);
  const previous = pointer?.release ?? null;
  const { missing, present } = await compareObjects(compiled, target);
  const isPublished = isPublicationOf(await readRelease(target, release), manifest);
  const alreadyLive = previous === release && missing.length === 0 && isPublished;
  if (!alreadyLive) {
    await uploadObjects(compiled, missing, target, options);
    if (!isPublished) await publishManifest(manifest, target, options);
    await readBack(missing, target, options);
    options.signal?.throwIfAborted();
    await turnPointer(manifest, target, options.now);
  }
  return {
    release,
    previous,
    alreadyLive,
    storeCount,
    uploaded: tally(missing),
    reused: tally(present),
  };
}

async function compareObjects(compiled: CompiledRelease, target: SnapshotTarget) {
  const objects = await listObjects(compiled.manifest, (hash) => readWhole(compiled, hash));
  const there = new Set<string>();
  for await (const key of target.list(OBJECT_PREFIX)) there.add(key);
  const isThere = ({ hash }: ObjectRef) => there.has(objectKey(hash));
  return {
    missing: objects.filter((object) => !isThere(object)),
    present: objects.filter(isThere),
  };
}

/** The bytes of an object of the compilation. @throws CommandError when they are not what they were */
async function readWhole({ readObject }: CompiledRelease, hash: string): Promise<Uint8Array> {
  const bytes = await readObject(hash);
  if (bytes && (await sha256(bytes)) === hash) return bytes;
  const message = `object ${hash} of the snapshot is ${bytes ? 'damaged' : 'missing'}: build it again`;
  throw new CommandError(message, { code: 'snapshot_damaged' });
}

async function uploadObjects(
  compiled: CompiledRelease,
  objects: readonly ObjectRef[],
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<void> {
  await forEachObject('Uploading', objects, options, async ({ hash }) => {
    await target.put(objectKey(hash), await readWhole(compiled, hash));
  });
}

async function readBack(
  objects: readonly ObjectRef[],
  target: SnapshotTarget,
  options: PublishOptions,
): Promise<void> {
  await forEachObject('Reading back', objects, options, async ({ hash }) => {
    const bytes = await target.get(objectKey(hash));
    if (!bytes || (await sha256(bytes)) !== hash) throw readBackError(`object ${hash}`);
  });
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

async function turnPointer(
  { format, release }: Manifest,
  target: SnapshotTarget,
  now: Date,
): Promise<void> {
  await writePointer(target, { format, release, publishedAt: now.toISOString() });
}

async function forEachObject(
  phase: string,
  objects: readonly ObjectRef[],
  { progress, signal }: PublishOptions,
  work: (object: ObjectRef) => Promise<void>,
): Promise<void> {
  let done = 0;
  progress.begin(phase, tally(objects).bytes, 'bytes');
  await forEachInFlight(objects, IN_FLIGHT, async (object) => {
    signal?.throwIfAborted();
    await work(object);
    done += object.bytes;
    progress.update(done);
  });
}

function tally(objects: readonly ObjectRef[]): ObjectTally {
  return { objects: objects.length, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
}

function readBackError(what: string): CommandError {
  const message = `${what} was written but reads back differently; the live release stays`;
  return new CommandError(message, { code: 'read_back_failed' });
}
