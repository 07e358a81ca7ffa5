/** Objects of a release, counted and looked for. */
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import type { ObjectRef } from '../../src/snapshot/manifest.ts';
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

  /** Whether an object is there; of what older tools wrote, nobody knows the length. */
  mayHave(object: ObjectRef): boolean {
    return this.has(object) || this.lengths.get(object.hash) === null;
  }
}
