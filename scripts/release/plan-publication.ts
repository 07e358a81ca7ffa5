/** What publishing a compiled release would write. */

import { listObjects } from '../../src/snapshot/chunk-table.ts';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import { type ObjectRef, objectHash, type Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { forEachObject, type ObjectWatch } from './each-object.ts';
import { listPublishedObjects } from './published-objects.ts';
import { isPublicationOf, readPointer, readRelease } from './published-release.ts';

export interface PublicationPlan {
  /** The pointer as it was found. */
  readonly live: Pointer | null;
  /** Objects that are to be uploaded: not there, or damaged. */
  readonly missing: readonly ObjectRef[];
  /** Objects that are there already, and were read back when they were uploaded or just now. */
  readonly present: readonly ObjectRef[];
  /** Whether the release's manifest is there already. */
  readonly isPublished: boolean;
  /** Whether the release is live and whole: nothing is to be done. */
  readonly isLive: boolean;
}

/** @throws CommandError snapshot_damaged when the release's list of chunks is missing or damaged */
export async function planPublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  watch: ObjectWatch,
): Promise<PublicationPlan> {
  const { manifest } = compiled;
  const live = await readPointer(target);
  const objects = await listObjects(manifest, (hash) => readWhole(compiled, hash));
  const there = await listObjectKeys(target);
  const found = objects.filter(({ hash }) => there.has(objectKey(hash)));
  const isPublished = isPublicationOf(await readRelease(target, manifest.release), manifest);
  const unconfirmed = isPublished ? [] : await leaveOutLive(found, live, target);
  const damaged = await findDamaged(unconfirmed, target, watch);
  const present = new Set(found.filter((object) => !damaged.has(object)));
  const missing = objects.filter((object) => !present.has(object));
  return {
    live,
    missing,
    present: [...present],
    isPublished,
    isLive: live?.manifest.release === manifest.release && missing.length === 0 && isPublished,
  };
}

/**
 * The objects that neither the live release nor the one before it has. Only what a publication wrote
 * before it was cut short may be there without having been read back, and no published release has
 * that.
 */
async function leaveOutLive(
  objects: readonly ObjectRef[],
  live: Pointer | null,
  target: SnapshotTarget,
): Promise<readonly ObjectRef[]> {
  let unconfirmed = objects;
  for (const release of [live, live?.before]) {
    if (!release || unconfirmed.length === 0) continue;
    const confirmed = await listPublishedObjects(target, release.manifest).catch((error) => {
      // What cannot be told of a damaged release is found out by reading.
      if (error instanceof CommandError && error.code === 'release_damaged') return [];
      throw error;
    });
    const hashes = new Set(confirmed.map(({ hash }) => hash));
    unconfirmed = unconfirmed.filter(({ hash }) => !hashes.has(hash));
  }
  return unconfirmed;
}

async function findDamaged(
  objects: readonly ObjectRef[],
  target: SnapshotTarget,
  watch: ObjectWatch,
): Promise<ReadonlySet<ObjectRef>> {
  const damaged = new Set<ObjectRef>();
  await forEachObject('Checking what is there', objects, watch, async (object) => {
    if (!(await isSound(target, object.hash))) damaged.add(object);
  });
  return damaged;
}

/** Whether an object reads as what it was when it was compiled. */
export async function isSound(target: SnapshotTarget, hash: string): Promise<boolean> {
  const bytes = await target.get(objectKey(hash));
  return bytes !== null && (await objectHash(bytes)) === hash;
}

/** The keys of all objects in a target. */
export async function listObjectKeys(target: SnapshotTarget): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const key of target.list(OBJECT_PREFIX)) keys.add(key);
  return keys;
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
