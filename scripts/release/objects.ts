/**
 * The objects of a release, the objects that storage holds, published releases that are read back, and the waits for
 * storage and Workers that are late.
 */
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { generationPrefix, OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import type { ObjectRef, PublishedManifest } from '../../src/snapshot/manifest.ts';
import {
  type DamageCode,
  ignoreDamage,
  type ReleaseReader,
  readRelease,
} from '../build/release-reader.ts';
import { waitFor } from '../cli/pace.ts';
import {
  getAll,
  type KeyValueStore,
  type SnapshotTarget,
  type StoredKey,
} from '../storage/key-value-store.ts';

/** Counts objects and their bytes. */
export function tally(objects: readonly { readonly bytes: number | null }[]) {
  let sum = 0;
  for (const { bytes } of objects) sum += bytes ?? 0;
  return { objects: objects.length, bytes: sum };
}

/** Everything that lies in storage, by generation. */
export type StoredGenerations = ReadonlyMap<string, readonly StoredKey[]>;

export async function listGenerations(store: KeyValueStore): Promise<StoredGenerations> {
  const listed = await Array.fromAsync(store.list(OBJECT_PREFIX));
  return Map.groupBy(listed, ({ key }) => key.slice(OBJECT_PREFIX.length).split('/')[0] ?? '');
}

/** Returns objects with the keys under which they lie. */
export function withKeys({ generation }: PublishedManifest, objects: readonly ObjectRef[]) {
  return objects.map((ref) => ({ ...ref, key: objectKey(generation, ref.hash) }));
}

/** Milliseconds before the second look at storage that does not show everything yet, and at most. */
const FIRST_WAIT = 1_000;
const MAX_WAIT = 15_000;

/**
 * Returns a function that opens published releases, as one command sees them. An index part is read once, whichever
 * releases it belongs to, for its name tells its content. Chunks are read each time: they are the mass of it. So
 * that a part is there, or sound, has to be asked of storage itself.
 */
export function publishedReleases({ objects: store }: SnapshotTarget) {
  /** Parts by hash. */
  const read = new Map<string, Uint8Array>();

  return (manifest: PublishedManifest, damage?: DamageCode): ReleaseReader => {
    const parts = new Set(Object.values(manifest.parts).map(({ hash }) => hash));
    const readObjects = async (refs: readonly ObjectRef[]) => {
      const unread = refs.filter(({ hash }) => !read.has(hash));
      const values = await getAll(store, withKeys(manifest, unread));
      const found = new Map(unread.map(({ hash }, index) => [hash, values[index] ?? null]));
      for (const [hash, bytes] of found) if (bytes && parts.has(hash)) read.set(hash, bytes);
      return refs.map(({ hash }) => read.get(hash) ?? found.get(hash) ?? null);
    };
    return readRelease({ manifest, readObjects }, damage);
  };
}

/**
 * Returns what `look` finds, at the latest when storage has had the time to show what was written a moment ago, here
 * or by another machine.
 * @param isDone whether it has found all; by default, whether it has found anything
 */
export async function whileLate<T>(
  target: SnapshotTarget,
  look: () => Promise<T>,
  isDone: (found: T) => boolean = Boolean,
): Promise<T> {
  const { clock, objects } = target;
  const deadline = clock.now() + objects.lateness;
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, MAX_WAIT)) {
    const found = await look();
    if (isDone(found) || clock.now() >= deadline) return found;
    await waitFor(target, wait, 'storage does not show yet all that was written');
  }
}

/** Waits until no Worker reads any more what the pointer before the last one named. */
export function awaitReaders(target: SnapshotTarget): Promise<void> {
  return waitFor(target, target.readersWait, 'Workers may still read what is to be deleted');
}

/**
 * Finds the objects, by their hashes, that a release names and storage does not show with their lengths. Where its list of
 * chunks is missing or damaged, the hash of that.
 */
export function findMissing(
  target: SnapshotTarget,
  manifest: PublishedManifest,
): Promise<string[]> {
  const look = async () => {
    const refs = await publishedReleases(target)(manifest).refs().catch(ignoreDamage);
    if (!refs) return [manifest.parts[CHUNKS_PART.name]?.hash ?? manifest.release];
    const prefix = generationPrefix(manifest.generation);
    const listed = await Array.fromAsync(target.objects.list(prefix));
    const lengths = new Map(listed.map(({ key, bytes }) => [key.slice(prefix.length), bytes]));
    return refs.filter(({ hash, bytes }) => lengths.get(hash) !== bytes).map(({ hash }) => hash);
  };
  return whileLate(target, look, (missing) => missing.length === 0);
}
