/** What publishing a compiled release would write. */
import { objectKey } from '../../src/snapshot/keys.ts';
import { type Manifest, type ObjectRef, objectHash } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { getAll } from '../storage/in-flight.ts';
import type { SnapshotTarget, Upload } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import type { Condemned } from './condemned.ts';
import type { LogEntry } from './log-entry.ts';
import { listObjects, type ObjectList } from './objects.ts';
import type { PublishedReleases } from './published-objects.ts';

export interface PublicationPlan {
  /** Every object of the release. */
  readonly objects: readonly ObjectRef[];
  /** Objects that are to be uploaded: not there. */
  readonly missing: readonly ObjectRef[];
  /** Objects to be uploaded that are condemned, and may be deleted within the next minutes. */
  readonly condemned: readonly ObjectRef[];
  /** Objects that are there, and that the live release or the one before it vouches for. */
  readonly vouched: readonly ObjectRef[];
  /** Objects that are there for another reason, such as a publication that was cut short. */
  readonly left: readonly ObjectRef[];
}

/** Everything that a plan uploads. */
export function uploadsOf({ missing, condemned }: PublicationPlan): readonly ObjectRef[] {
  return [...missing, ...condemned];
}

/** What there is, as a plan goes by it. */
export interface Stock {
  readonly head: LogEntry | null;
  readonly list: ObjectList;
  readonly condemned: Condemned;
  readonly published: PublishedReleases;
}

/** @throws CommandError snapshot_damaged when the release's list of chunks is missing or damaged */
export async function planPublication(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  { head, list, condemned, published }: Stock,
): Promise<PublicationPlan> {
  const objects = await listCompiled(compiled);
  const live = await hashesOf(published, head?.manifest, list);
  const before = await hashesOf(published, head?.before?.manifest, list);
  const damaged = await findDamagedParts(compiled, target, head, list);
  const plan = {
    missing: [] as ObjectRef[],
    condemned: [] as ObjectRef[],
    vouched: [] as ObjectRef[],
    left: [] as ObjectRef[],
  };
  for (const object of objects) {
    const { hash } = object;
    // Nothing that is live is ever deleted, condemned or not.
    if (live.has(hash) && !damaged.has(hash)) plan.vouched.push(object);
    else if (condemned.hasObject(hash) && !live.has(hash)) plan.condemned.push(object);
    else if (before.has(hash) && !damaged.has(hash)) plan.vouched.push(object);
    else if (list.has(object) && !damaged.has(hash)) plan.left.push(object);
    else plan.missing.push(object);
  }
  return { objects, ...plan };
}

/** Every object of a compilation. @throws CommandError snapshot_damaged */
export function listCompiled(compiled: CompiledRelease): Promise<ObjectRef[]> {
  return listObjects(compiled.manifest, (hash) => readWhole(compiled, hash));
}

/** Hashes of the objects of a release that are there. Of a damaged one nothing is vouched for. */
async function hashesOf(
  published: PublishedReleases,
  manifest: Manifest | undefined,
  list: ObjectList,
): Promise<ReadonlySet<string>> {
  if (!manifest) return new Set();
  const objects = await published.listIfSound(manifest);
  return new Set(objects.filter((object) => list.has(object)).map(({ hash }) => hash));
}

/** Where the same release is live, its index parts are read: the next run of a job may heal it. */
async function findDamagedParts(
  { manifest }: CompiledRelease,
  { objects }: SnapshotTarget,
  head: LogEntry | null,
  list: ObjectList,
): Promise<ReadonlySet<string>> {
  const damaged = new Set<string>();
  if (head?.manifest.release !== manifest.release) return damaged;
  const parts = Object.values(manifest.parts).filter((part) => list.has(part));
  const values = await getAll(objects, [...new Set(parts.map(({ hash }) => objectKey(hash)))]);
  for (const { hash } of parts) {
    const bytes = values.get(objectKey(hash));
    if (!bytes || (await objectHash(bytes)) !== hash) damaged.add(hash);
  }
  return damaged;
}

/** An object of the compilation as storage takes it; it is read when its turn comes. */
export function uploadOf(compiled: CompiledRelease, { hash, bytes }: ObjectRef): Upload {
  return { key: objectKey(hash), size: bytes, read: () => readWhole(compiled, hash) };
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
