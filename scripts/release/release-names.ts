/**
 * The names that partners were told, by which Workers find kept releases for `changes`:
 * `src/snapshot/manifest.ts`. A name is written before the pointer that tells it, and deleted when
 * its release is given up: what is condemned counts as absent.
 */
import { NAME_PREFIX, nameKey, parseReleaseName } from '../../src/snapshot/keys.ts';
import type { LiveRelease } from '../../src/snapshot/manifest.ts';
import { deleteAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type LogEntry, nameOf } from './log-entry.ts';
import { encodeJson } from './published-release.ts';

/** Lets Workers find the release of an entry. */
export async function writeName({ objects }: SnapshotTarget, entry: LogEntry): Promise<void> {
  const { manifest, publishedAt } = entry;
  await objects.put(
    nameKey(nameOf(entry)),
    encodeJson({ manifest, publishedAt } satisfies LiveRelease),
  );
}

/**
 * Deletes the names of releases that are given up.
 * @param head number of an entry of the log: what went live later is not meant
 * @param isKept tells of the id of a release
 */
export async function dropNames(
  { objects }: SnapshotTarget,
  head: number,
  isKept: (release: string) => boolean,
): Promise<void> {
  const gone: string[] = [];
  for await (const { key } of objects.list(NAME_PREFIX)) {
    const name = parseReleaseName(key.slice(NAME_PREFIX.length));
    if (name && name.number <= head && !isKept(name.release)) gone.push(key);
  }
  await deleteAll(objects, gone);
}
