/** Which objects a release consists of. */
import { ChunkTable } from './chunk-table.ts';
import { SnapshotFormatError } from './format-error.ts';
import { CHUNKS_PART } from './index-parts.ts';
import type { Manifest, ObjectRef } from './manifest.ts';

/**
 * Every object of a release, index parts first, each once.
 * @param readObject the bytes of an object, or null when it is missing
 * @throws SnapshotFormatError when the `chunks` part, which lists the chunks, is missing or damaged
 */
export async function listObjects(
  manifest: Manifest,
  readObject: (hash: string) => Promise<Uint8Array | null>,
): Promise<ObjectRef[]> {
  const part = manifest.parts[CHUNKS_PART];
  const bytes = part && (await readObject(part.hash));
  if (!bytes) throw new SnapshotFormatError(`release ${manifest.release}: no list of chunks`);
  const table = new ChunkTable(bytes.slice().buffer, manifest.storeCount);
  const objects = new Map(Object.values(manifest.parts).map((ref) => [ref.hash, ref]));
  for (let chunk = 0; chunk < table.chunkCount; chunk++) {
    const hash = table.hash(chunk);
    objects.set(hash, { hash, bytes: table.lengths[chunk] as number });
  }
  return [...objects.values()];
}
