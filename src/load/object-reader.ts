/** Reads the objects of a snapshot and vouches for them: content, not storage, is trusted. */
import { ProblemError } from '../problem.ts';
import { expectEqual, SnapshotFormatError } from '../snapshot/format-error.ts';
import { objectKey } from '../snapshot/keys.ts';
import { type ObjectRef, objectHash, type PublishedManifest } from '../snapshot/manifest.ts';
import { withDeadline } from '../storage/deadline.ts';
import { type Freshness, LARGEST_READ, type SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { Room } from './room.ts';

const UNREADABLE = 'Part of the store data could not be read from storage.';

/** An object that is wanted. */
export interface WantedObject extends ObjectRef {
  readonly generation: string;
  /** What the log calls it. */
  readonly what: string;
}

/** An index part of a release. @throws SnapshotFormatError when the release has none of this name */
export function partOf(
  { generation, release, parts }: PublishedManifest,
  name: string,
): WantedObject {
  const ref = parts[name];
  if (!ref) throw new SnapshotFormatError(`release ${release}: no part ${name}`);
  return { ...ref, generation, what: `part ${name}` };
}

/** An object is not there, or not yet. */
export class MissingObjectError extends Error {
  readonly generation: string;

  constructor(what: string, generation: string) {
    super(`${what} is missing`);
    this.generation = generation;
  }
}

/** Objects that are on their way, by hash. */
export type ObjectReads = ReadonlyMap<string, Promise<ArrayBuffer>>;

export class ObjectReader {
  private readonly source: SnapshotSource;
  /** The bytes that may be on their way at once. */
  readonly room: Room;

  /** @param bytesAtOnce how many bytes may be on their way at once */
  constructor(source: SnapshotSource, bytesAtOnce: number) {
    this.source = source;
    this.room = new Room(bytesAtOnce);
  }

  /** Begins to read a few large objects side by side: one read for each. As `readTogether`. */
  readApart(refs: readonly WantedObject[], background: Background, wake: () => void) {
    return this.begin(
      refs.map((ref) => [ref]),
      background,
      wake,
    );
  }

  /**
   * Begins to read objects, each checked against its length and hash. They are on their way together or
   * not at all, so that no request holds half of a page while it waits for the other half.
   * @param refs each object once
   * @returns null when there is no room for them; `wake` is called when there may be.
   *   Rejections are ProblemError storage_unreachable.
   */
  readTogether(refs: readonly WantedObject[], background: Background, wake: () => void) {
    return this.begin(this.group(refs), background, wake);
  }

  private begin(
    groups: readonly (readonly WantedObject[])[],
    background: Background,
    wake: () => void,
  ): ObjectReads | null {
    const bytes = groups.flat().reduce((sum, ref) => sum + ref.bytes, 0);
    const room = this.room.take(bytes, wake);
    if (!room) return null;
    const reads = new Map<string, Promise<ArrayBuffer>>();
    const all = groups.map((group) => {
      const values = this.readGroup(group, background);
      group.forEach(({ hash }, index) => {
        reads.set(
          hash,
          values.then((buffers) => buffers[index] as ArrayBuffer),
        );
      });
      return values;
    });
    background.defer(Promise.allSettled(all).then(() => this.room.leave(room)));
    return reads;
  }

  /** Splits what is to be read into what one read may take. */
  private group(refs: readonly WantedObject[]): WantedObject[][] {
    const groups: WantedObject[][] = [];
    let group: WantedObject[] = [];
    let bytes = 0;
    for (const ref of refs) {
      const isFull = group.length === this.source.mostKeys || bytes + ref.bytes > LARGEST_READ;
      if (group.length > 0 && isFull) {
        groups.push(group);
        group = [];
        bytes = 0;
      }
      group.push(ref);
      bytes += ref.bytes;
    }
    if (group.length > 0) groups.push(group);
    return groups;
  }

  private async readGroup(
    refs: readonly WantedObject[],
    background: Background,
  ): Promise<ArrayBuffer[]> {
    try {
      return await withDeadline(this.askTwice(refs, background), keyOf(refs[0] as WantedObject));
    } catch (cause) {
      throw new ProblemError('storage_unreachable', UNREADABLE, { cause });
    }
  }

  /**
   * What is missing or damaged is asked for once more, past all caches: a read may have failed, a fresh
   * object be behind a miss that a cache remembers, or a cached copy be damaged.
   */
  private async askTwice(
    refs: readonly WantedObject[],
    background: Background,
  ): Promise<ArrayBuffer[]> {
    const values = await this.ask(refs, 'cached', background).catch(() => refs.map(() => null));
    const faults = await Promise.all(refs.map((ref, index) => faultOf(values[index], ref)));
    const faulty = refs.filter((_, index) => faults[index] !== null);
    if (faulty.length === 0) return values as ArrayBuffer[];
    const again = await this.ask(faulty, 'retry', background);
    for (const [index, ref] of faulty.entries()) {
      const fault = await faultOf(again[index], ref);
      if (fault !== null) throw fault;
      values[refs.indexOf(ref)] = again[index] as ArrayBuffer;
    }
    return values as ArrayBuffer[];
  }

  private async ask(
    refs: readonly WantedObject[],
    freshness: Freshness,
    background: Background,
  ): Promise<(ArrayBuffer | null)[]> {
    const { storage } = background;
    storage.reads += this.source.readsApart ? refs.length : 1;
    storage.keys += refs.length;
    const objects = refs.map((ref) => ({ key: keyOf(ref), bytes: ref.bytes }));
    const values = await this.source.readObjects(objects, freshness, background);
    for (const value of values) storage.bytes += value?.byteLength ?? 0;
    return values;
  }
}

function keyOf({ generation, hash }: WantedObject): string {
  return objectKey(generation, hash);
}

/** Why a value is not the object it should be, and where that lies; null when it is. */
async function faultOf(
  value: ArrayBuffer | null | undefined,
  wanted: WantedObject,
): Promise<Error | null> {
  const name = `${wanted.what} (${keyOf(wanted)})`;
  if (!value) return new MissingObjectError(name, wanted.generation);
  try {
    expectEqual(`${name} length`, value.byteLength, wanted.bytes);
    expectEqual(`${name} hash`, await objectHash(value), wanted.hash);
    return null;
  } catch (error) {
    return error as Error;
  }
}
