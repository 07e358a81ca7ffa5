/** Objects: those of a release, counted, and those that storage holds, by generation. */
import { CHUNKS_PART } from '../../src/snapshot/chunks.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { type ObjectRef, objectHash } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { readRelease } from '../build/release-reader.ts';
import type { Progress } from '../cli/progress.ts';
import type { KeyValueStore, StoredKey } from '../storage/key-value-store.ts';

/** Who watches work on objects, and who may end it. */
export interface ObjectWatch {
  readonly progress: Progress;
  /** When aborted, the work stops before its next step. */
  readonly signal?: AbortSignal;
}

/** How many there are, and their bytes. */
export function tally(objects: readonly { readonly bytes: number | null }[]) {
  const bytes = objects.reduce((sum, object) => sum + (object.bytes ?? 0), 0);
  return { objects: objects.length, bytes };
}

export type ObjectTally = ReturnType<typeof tally>;

/** Everything that lies in storage, by generation. */
export type StoredGenerations = ReadonlyMap<string, readonly StoredKey[]>;

export async function listGenerations(store: KeyValueStore): Promise<StoredGenerations> {
  const listed = await Array.fromAsync(store.list(OBJECT_PREFIX));
  return Map.groupBy(listed, ({ key }) => key.slice(OBJECT_PREFIX.length).split('/')[0] ?? '');
}

/**
 * Every object of a release, index parts first, each once.
 * @throws CommandError release_damaged when the part that lists the chunks is missing or damaged
 */
export async function listObjects(release: CompiledRelease): Promise<ObjectRef[]> {
  const table = await readRelease(release).table(CHUNKS_PART);
  const objects = new Map(Object.values(release.manifest.parts).map((ref) => [ref.hash, ref]));
  for (let chunk = 0; chunk < table.chunkCount; chunk++) {
    const hash = table.hash(chunk);
    objects.set(hash, { hash, bytes: table.lengths[chunk] as number });
  }
  return [...objects.values()];
}

/** Whether these are the bytes of the object. */
export async function isWhole(bytes: Uint8Array | null | undefined, hash: string) {
  return bytes ? (await objectHash(bytes)) === hash : false;
}
