/** What publishing a compiled release would write. */
import { sha256 } from '../../src/snapshot/hash.ts';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef, Pointer } from '../../src/snapshot/manifest.ts';
import { listObjects } from '../../src/snapshot/object-list.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { isPublicationOf, readPointer, readRelease } from './published-release.ts';
import type { SnapshotTarget } from './snapshot-target.ts';

export interface PublicationPlan {
  /** The pointer as it was found. */
  readonly live: Pointer | null;
  /** Objects that are to be uploaded. */
  readonly missing: readonly ObjectRef[];
  /** Objects that are there already. */
  readonly present: readonly ObjectRef[];
  /** Whether the release's manifest is there already. */
  readonly isPublished: boolean;
  /** Whether the release is live and whole: nothing is to be done. */
  readonly isLive: boolean;
}

/** @throws CommandError snapshot_damaged when the release's store table is missing or damaged */
export async function planPublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
): Promise<PublicationPlan> {
  const { manifest } = compiled;
  const live = await readPointer(target);
  const objects = await listObjects(manifest, (hash) => readWhole(compiled, hash));
  const there = await listObjectKeys(target);
  const isThere = ({ hash }: ObjectRef) => there.has(objectKey(hash));
  const missing = objects.filter((object) => !isThere(object));
  const isPublished = isPublicationOf(await readRelease(target, manifest.release), manifest);
  return {
    live,
    missing,
    present: objects.filter(isThere),
    isPublished,
    isLive: live?.release === manifest.release && missing.length === 0 && isPublished,
  };
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
  if (bytes && (await sha256(bytes)) === hash) return bytes;
  const message = `object ${hash} of the snapshot is ${bytes ? 'damaged' : 'missing'}: build it again`;
  throw new CommandError(message, { code: 'snapshot_damaged' });
}
