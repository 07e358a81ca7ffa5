/** Looks whether the live release is whole, and gives it back what it has lost. */
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
import { putAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import type { LogEntry } from './log-entry.ts';
import { ObjectList } from './objects.ts';
import { listCompiled, uploadOf } from './plan-publication.ts';
import type { PublishedReleases } from './published-objects.ts';

export interface Mending {
  /** The list of what is there now. */
  readonly list: ObjectList;
  /** Objects of the live release that it has again. */
  readonly mended: readonly ObjectRef[];
  /** Objects that it lacks and the compiled release does not have either. */
  readonly lost: readonly ObjectRef[];
}

/** What the live release is looked at by. */
export interface Sight {
  readonly live: LogEntry | null;
  readonly list: ObjectList;
  readonly published: PublishedReleases;
  /** When the list was read, by the clock of the storage: milliseconds since 1970. */
  readonly now: number;
}

/**
 * Uploads what the live release lacks and `compiled` has. No intent is needed: nobody deletes what
 * is live.
 */
export async function mendLive(
  compiled: CompiledRelease,
  target: SnapshotTarget,
  sight: Sight,
): Promise<Mending> {
  const { list } = sight;
  const missing = await findMissing(target, sight);
  if (missing.length === 0) return { list, mended: [], lost: [] };
  const available = new Set((await listCompiled(compiled)).map(({ hash }) => hash));
  const mended = missing.filter(({ hash }) => available.has(hash));
  const uploads = mended.map((object) => uploadOf(compiled, object));
  await putAll(target.objects, uploads);
  const lost = missing.filter(({ hash }) => !available.has(hash));
  return { list: mended.length > 0 ? await ObjectList.read(target.objects) : list, mended, lost };
}

/** What is live and not listed. What went live a moment ago may be listed late. */
async function findMissing(
  { objects: { lateness } }: SnapshotTarget,
  { live, list, published, now }: Sight,
): Promise<ObjectRef[]> {
  if (!live || now - Date.parse(live.at) < lateness) return [];
  // Of a damaged one, whoever compares with it will say so.
  const objects = await published.listIfSound(live.manifest);
  return objects.filter((object) => !list.has(object));
}
