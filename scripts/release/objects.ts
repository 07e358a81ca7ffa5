/** Objects of a release, counted and looked for. */
import { ChunkTable } from '../../src/snapshot/chunk-table.ts';
import { SnapshotFormatError } from '../../src/snapshot/format-error.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { CHUNKS_PART, type Manifest, type ObjectRef } from '../../src/snapshot/manifest.ts';
import type { Progress } from '../cli/progress.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';

export interface ObjectTally {
  readonly objects: number;
  readonly bytes: number;
}

/** Who watches work on objects, and who may end it. */
export interface ObjectWatch {
  readonly progress: Progress;
  /** When aborted, the work stops before its next step. */
  readonly signal?: AbortSignal;
}

/** How many there are, and their bytes. */
export function tally(objects: readonly ObjectRef[]): ObjectTally {
  return { objects: objects.length, bytes: objects.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** The objects that storage lists, and whether they are as long as they should be. */
export class ObjectList {
  private readonly lengths: ReadonlyMap<string, number | null>;

  /** @param lengths by hash; null where storage does not tell */
  constructor(lengths: ReadonlyMap<string, number | null>) {
    this.lengths = lengths;
  }

  static async read(store: KeyValueStore): Promise<ObjectList> {
    const lengths = new Map<string, number | null>();
    for await (const { key, bytes } of store.list(OBJECT_PREFIX)) {
      lengths.set(key.slice(OBJECT_PREFIX.length), bytes);
    }
    return new ObjectList(lengths);
  }

  get size(): number {
    return this.lengths.size;
  }

  /** Whether an object is there with its length. */
  has({ hash, bytes }: ObjectRef): boolean {
    return this.lengths.get(hash) === bytes;
  }
}

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
