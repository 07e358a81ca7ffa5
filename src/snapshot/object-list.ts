/** Which objects a release consists of. */

import { SnapshotFormatError } from './format-error.ts';
import { STORES_PART } from './index-parts.ts';
import type { Manifest, ObjectRef } from './manifest.ts';
import { StoreTable } from './store-table.ts';

/**
 * Every object of a release, index parts first, each once.
 * @param readObject the bytes of an object, or null when it is missing
 * @throws SnapshotFormatError when the `stores` part, which lists the chunks, is missing or damaged
 */
export async function listObjects(
  manifest: Manifest,
  readObject: (hash: string) => Promise<Uint8Array | null>,
): Promise<ObjectRef[]> {
  const stores = manifest.parts[STORES_PART];
  const bytes = stores && (await readObject(stores.hash));
  if (!bytes) throw new SnapshotFormatError(`release ${manifest.release}: no store table`);
  const table = new StoreTable(bytes.slice().buffer);
  const objects = new Map(Object.values(manifest.parts).map((part) => [part.hash, part]));
  for (let chunk = 0; chunk < table.chunkCount; chunk++) {
    const hash = table.chunkHash(chunk);
    objects.set(hash, { hash, bytes: table.chunkLength[chunk] as number });
  }
  return [...objects.values()];
}
