/** Reads the objects of a snapshot and checks each by its length and hash: storage is not trusted. */
import { ProblemError } from '../model/problem.ts';
import { expectEqual, SnapshotFormatError } from '../snapshot/column-file.ts';
import { objectKey } from '../snapshot/keys.ts';
import { type ObjectRef, objectHash, type PublishedManifest } from '../snapshot/manifest.ts';
import {
  type Freshness,
  MAX_READ_BYTES,
  type ReadContext,
  type SnapshotSource,
  withDeadline,
} from '../storage/reading.ts';

/** An object that is wanted. */
export interface WantedObject extends ObjectRef {
  readonly generation: string;
  /** What the log calls it. */
  readonly what: string;
}

/** Returns an index part of a release. @throws SnapshotFormatError when the release has none of this name */
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

/** Objects that have come, by hash. */
type Objects = Map<string, ArrayBuffer>;

/** Bytes that are being read. */
interface BytesUnderWay {
  readonly bytes: number;
  /** When they count no longer, in milliseconds since 1970. */
  until: number;
}

/**
 * Milliseconds for which the bytes of a read count after the last tick of a timer of its request. When the platform ends
 * a request it stops its timers, and nothing else tells that its reads will not come.
 */
const COUNT_LIFETIME = 1_000;

/** Milliseconds for which a request that found no room goes before others; it asks again much sooner. */
const PRECEDENCE_LIFETIME = 100;

/** A request that found no room for its reads. */
interface Refused extends BytesUnderWay {
  readonly giveUpAt: number;
}

export class ObjectReader {
  private readonly source: SnapshotSource;
  private readonly maxBytes: number;
  private readonly underWay = new Set<BytesUnderWay>();
  /** The request that gives up first, among the requests that found no room. */
  private first: Refused | undefined;

  /** @param maxBytes how many bytes may be under way at once; an object that is larger is read alone */
  constructor(source: SnapshotSource, maxBytes: number) {
    this.source = source;
    this.maxBytes = maxBytes;
  }

  /**
   * Starts to read objects, each checked against its length and hash. All are under way together or none,
   * so that no request holds half of a page while it waits for the other half.
   * @param maxKeys how many objects one read takes at the most
   * @returns a promise for each, or undefined when there is no room for them now. Rejections are
   * ProblemError storage_unreachable.
   */
  read(
    refs: readonly WantedObject[],
    context: ReadContext,
    maxKeys = this.source.maxKeys,
  ): readonly Promise<ArrayBuffer>[] | undefined {
    // Two small parts may have the same bytes, and releases share some.
    const objects = [...new Map(refs.map((ref) => [ref.hash, ref])).values()];
    if (!this.claimRoom(bytesOf(objects), context.giveUpAt)) return undefined;
    const reads = new Map<string, Promise<Objects>>();
    for (const group of groupsOf(objects, maxKeys)) {
      const values = this.readGroup(group, context);
      for (const { hash } of group) reads.set(hash, values);
    }
    return refs.map(async ({ hash }) => (await reads.get(hash))?.get(hash) as ArrayBuffer);
  }

  /**
   * Returns whether so many bytes may be read now; a request that is refused is noted. The one that gives up first goes
   * first, and others get what it leaves: else small reads would for ever take the room that a large read needs at once.
   */
  private claimRoom(bytes: number, giveUpAt: number): boolean {
    const now = Date.now();
    for (const read of this.underWay) if (now >= read.until) this.underWay.delete(read);
    const { first } = this;
    const isBehind = first && now < first.until && giveUpAt > first.giveUpAt;
    const reserved = isBehind ? first.bytes : 0;
    const isFree = this.underWay.size === 0 && reserved === 0;
    const fits = isFree || bytes + reserved + bytesOf([...this.underWay]) <= this.maxBytes;
    if (!isBehind) {
      this.first = fits ? undefined : { bytes, giveUpAt, until: now + PRECEDENCE_LIFETIME };
    }
    return fits;
  }

  private async readGroup(refs: readonly WantedObject[], context: ReadContext): Promise<Objects> {
    const read = { bytes: bytesOf(refs), until: 0 };
    const count = () => {
      read.until = Date.now() + COUNT_LIFETIME;
    };
    count();
    const timer = setInterval(count, COUNT_LIFETIME / 4);
    this.underWay.add(read);
    try {
      return await withDeadline(this.askTwice(refs, context), keyOf(refs[0] as WantedObject));
    } catch (cause) {
      const detail = 'Part of the store data could not be read from storage.';
      throw new ProblemError('storage_unreachable', detail, { cause });
    } finally {
      clearInterval(timer);
      this.underWay.delete(read);
    }
  }

  /**
   * Asks for objects, and once more, past all caches, for those that are missing or damaged: a read may have failed, a
   * fresh object be behind a miss that a cache remembers, or a cached copy be damaged.
   */
  private async askTwice(refs: readonly WantedObject[], context: ReadContext): Promise<Objects> {
    const objects: Objects = new Map();
    await this.ask(refs, 'cached', context, objects).catch(() => {});
    const faulty = refs.filter(({ hash }) => !objects.has(hash));
    if (faulty.length === 0) return objects;
    const fault = await this.ask(faulty, 'retry', context, objects);
    if (fault) throw fault;
    return objects;
  }

  /** Adds the undamaged objects to `objects`. Returns why another one does not count, if there is one. */
  private async ask(
    refs: readonly WantedObject[],
    freshness: Freshness,
    context: ReadContext,
    objects: Objects,
  ): Promise<unknown> {
    const { storage } = context;
    storage.reads += this.source.readsApart ? refs.length : 1;
    storage.keys += refs.length;
    const stored = refs.map((ref) => ({ key: keyOf(ref), bytes: ref.bytes }));
    const values = await this.source.readObjects(stored, freshness, context);
    let fault: unknown;
    for (const [index, ref] of refs.entries()) {
      const value = values[index];
      storage.bytes += value?.byteLength ?? 0;
      try {
        objects.set(ref.hash, await wholeObject(value, ref));
      } catch (error) {
        fault ??= error;
      }
    }
    return fault;
  }
}

/** Splits objects into what one read may take. */
function groupsOf(refs: readonly WantedObject[], maxKeys: number): WantedObject[][] {
  const groups: WantedObject[][] = [];
  for (const ref of refs) {
    const group = groups.at(-1);
    const fits = group && group.length < maxKeys;
    if (fits && bytesOf(group) + ref.bytes <= MAX_READ_BYTES) group.push(ref);
    else groups.push([ref]);
  }
  return groups;
}

function bytesOf(objects: readonly { readonly bytes: number }[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

function keyOf({ generation, hash }: WantedObject): string {
  return objectKey(generation, hash);
}

/** Returns `value` if it is the object that is wanted. @throws MissingObjectError, SnapshotFormatError */
async function wholeObject(
  value: ArrayBuffer | null | undefined,
  wanted: WantedObject,
): Promise<ArrayBuffer> {
  const name = `${wanted.what} (${keyOf(wanted)})`;
  if (!value) throw new MissingObjectError(name, wanted.generation);
  expectEqual(`${name} length`, value.byteLength, wanted.bytes);
  expectEqual(`${name} hash`, await objectHash(value), wanted.hash);
  return value;
}
