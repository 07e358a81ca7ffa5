/** What publishing a compiled release would write, and into which generation. */
import { type ObjectRef, objectHash, type PublishedManifest } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { totalBytes } from '../build/measure-release.ts';
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { History } from './history.ts';
import type { Stay } from './log-entry.ts';
import { nameGeneration } from './log-rule.ts';
import { listObjects, type StoredGeneration } from './objects.ts';
import type { PublishedReleases } from './published-objects.ts';

/** A generation that weighs so many times what is live takes no more publications. */
const MOST_WEIGHT = 4;

export interface PublicationPlan {
  /** With the generation that is written into. */
  readonly manifest: PublishedManifest;
  /** Whether that is a new one. */
  readonly begins: boolean;
  /** Every object of the release. */
  readonly objects: readonly ObjectRef[];
  /** Those that are to be uploaded. */
  readonly missing: readonly ObjectRef[];
}

/** What a publication was decided by. */
export interface Seen {
  /** The last entry of the log; null when there is none. */
  readonly head: Stay | null;
  readonly history: History;
  /** What has been read of published releases; saves reading it again. */
  readonly published: PublishedReleases;
  /** What lies in storage; null where it was not listed. */
  readonly generations: ReadonlyMap<string, StoredGeneration> | null;
}

/**
 * Plans a publication into the newest generation, or into a new one.
 * @param afresh whether everything is to be uploaded anew
 * @throws CommandError snapshot_damaged when the release's list of chunks is missing or damaged
 */
export async function planPublication(
  compiled: CompiledRelease,
  { ledger }: SnapshotTarget,
  seen: Seen,
  afresh: boolean,
): Promise<PublicationPlan> {
  const { head } = seen;
  if (head && !afresh && !isOverweight(head, seen)) {
    return planInto(compiled, head.newest, await namedBy(head.newest, seen));
  }
  const generation = nameGeneration(await ledger.now(), head);
  return { ...(await planInto(compiled, generation, new Set())), begins: true };
}

/** The plan where a generation has these objects. */
export async function planInto(
  compiled: CompiledRelease,
  generation: string,
  there: ReadonlySet<string>,
): Promise<PublicationPlan> {
  const objects = await listObjects(compiled.manifest, (hash) => readWhole(compiled, hash));
  const missing = objects.filter(({ hash }) => !there.has(hash));
  const manifest = { ...compiled.manifest, generation };
  return { manifest, begins: false, objects, missing };
}

function isOverweight({ manifest, newest }: Stay, { generations }: Seen): boolean {
  return (generations?.get(newest)?.bytes ?? 0) > MOST_WEIGHT * totalBytes(manifest);
}

/**
 * Hashes of what the newest release of a generation names: it was confirmed before it went live, and
 * nothing of a generation is deleted before all of it. After a rollback the live one may lie elsewhere.
 */
async function namedBy(
  generation: string,
  { history, published }: Seen,
): Promise<ReadonlySet<string>> {
  const isIn = ({ manifest }: Stay) => manifest.generation === generation;
  const newest = (await history.read((stays) => stays.some(isIn))).find(isIn);
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
