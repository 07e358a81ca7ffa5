/** A published release and its objects, read back from where it was published. */

import { listObjects } from '../../src/snapshot/chunk-table.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { type Manifest, type ObjectRef, objectHash } from '../../src/snapshot/manifest.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { CompiledRelease } from './compiled-release.ts';
import { explainDamage } from './release-reader.ts';

/** The release as whoever compares or inspects releases takes it. */
export function openPublished(target: SnapshotTarget, manifest: Manifest): CompiledRelease {
  return { manifest, readObject: (hash) => target.get(objectKey(hash)) };
}

/**
 * Every object of a published release.
 * @throws CommandError release_damaged when its list of chunks is missing or damaged
 */
export async function listPublishedObjects(
  target: SnapshotTarget,
  manifest: Manifest,
): Promise<ObjectRef[]> {
  const release = openPublished(target, manifest);
  return explainDamage(manifest, () =>
    listObjects(manifest, async (hash) => {
      const bytes = await release.readObject(hash);
      if (bytes && (await objectHash(bytes)) !== hash) {
        throw new SnapshotFormatError(`object ${hash} is damaged`);
      }
      return bytes;
    }),
  );
}
