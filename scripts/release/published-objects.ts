/** Published releases and their objects, read back from where they were published. */
import { listObjects } from '../../src/snapshot/chunk-table.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import {
  CHUNKS_PART,
  type Manifest,
  type ObjectRef,
  objectHash,
} from '../../src/snapshot/manifest.ts';
import { getAll } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { explainDamage } from './release-reader.ts';

/** Lists of chunks in memory at once: at 100,000 stores each is over a megabyte. */
const LISTS_AT_ONCE = 20;

/** The release as whoever compares or inspects releases takes it. */
export function openPublished({ objects }: SnapshotTarget, manifest: Manifest): CompiledRelease {
  return { manifest, readObject: (hash) => objects.get(objectKey(hash)) };
}

/**
 * Every object of a published release.
 * @throws CommandError release_damaged when its list of chunks is missing or damaged
 */
export async function listPublishedObjects(
  { objects }: SnapshotTarget,
  manifest: Manifest,
): Promise<ObjectRef[]> {
  return listWith(manifest, (hash) => objects.get(objectKey(hash)));
}

/**
 * Tells of each release and every object of it, in the order given; lists of chunks are read
 * together.
 * @throws CommandError release_damaged
 */
export async function eachPublished(
  target: SnapshotTarget,
  manifests: readonly Manifest[],
  tell: (manifest: Manifest, objects: readonly ObjectRef[]) => void,
): Promise<void> {
  for (let start = 0; start < manifests.length; start += LISTS_AT_ONCE) {
    const group = manifests.slice(start, start + LISTS_AT_ONCE);
    const keys = new Set(
      group.flatMap(({ parts }) =>
        parts[CHUNKS_PART] ? [objectKey(parts[CHUNKS_PART].hash)] : [],
      ),
    );
    const lists = await getAll(target.objects, [...keys]);
    for (const manifest of group) {
      tell(manifest, await listWith(manifest, async (hash) => lists.get(objectKey(hash)) ?? null));
    }
  }
}

function listWith(
  manifest: Manifest,
  read: (hash: string) => Promise<Uint8Array | null>,
): Promise<ObjectRef[]> {
  return explainDamage(manifest, () =>
    listObjects(manifest, async (hash) => {
      const bytes = await read(hash);
      if (bytes && (await objectHash(bytes)) !== hash) {
        throw new SnapshotFormatError(`object ${hash} is damaged`);
      }
      return bytes;
    }),
  );
}
