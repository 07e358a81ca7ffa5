/** Reads the objects of a snapshot and checks each by its length and hash: storage is not trusted. */
import { ProblemError } from '../problem.ts';
import { expectEqual, SnapshotFormatError } from '../snapshot/format-error.ts';
import { objectKey } from '../snapshot/keys.ts';
import { type ObjectRef, objectHash, type PublishedManifest } from '../snapshot/manifest.ts';
import { READ_DEADLINE, withDeadline } from '../storage/deadline.ts';
import { type Freshness, LARGEST_READ, type SnapshotSource } from '../storage/snapshot-source.ts';
import type { ReadContext } from './read-context.ts';

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

/** Objects that are being read, by hash. */
export type ObjectReads = ReadonlyMap<string, Promise<ArrayBuffer>>;

/** Bytes that are being read. */
interface BytesUnderWay {
  readonly bytes: number;
  /**
   * When they count no longer, in milliseconds since 1970: where the platform has ended their request
   * nothing says that they have come.
   */
  readonly until: number;
}

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
  /** Of the requests that found no room, the one that gives up first. */
  private first: Refused | undefined;

  /** @param maxBytes how many bytes may be under way at once; an object that is larger is read alone */
  constructor(source: SnapshotSource, maxBytes: number) {
    this.source = source;
    this.maxBytes = maxBytes;
  }

  /** Begins to read a few large objects side by side: one read for each. As `readTogether`. */
  readApart(refs: readonly WantedObject[], context: ReadContext): ObjectReads | null {
    // Two small parts may have the same bytes, and releases share some.
    const objects = new Map(refs.map((ref) => [ref.hash, ref]));
    return this.begin(
      Array.from(objects.values(), (ref) => [ref]),
      context,
    );
  }

  /**
   * Begins to read objects, each checked against its length and hash. All are under way together or none,
   * so that no request holds half of a page while it waits for the other half.
   * @param refs each object once
   * @returns null when there is no room for them now. Rejections are ProblemError storage_unreachable.
   */
  readTogether(refs: readonly WantedObject[], context: ReadContext): ObjectReads | null {
    return this.begin(this.group(refs), context);
  }

  private begin(
    groups: readonly (readonly WantedObject[])[],
    context: ReadContext,
  ): ObjectReads | null {
    if (!this.hasRoom(bytesOf(groups.flat()), context.giveUpAt)) return null;
    const reads = new Map<string, Promise<ArrayBuffer>>();
    for (const group of groups) {
      const values = this.readGroup(group, context);
      for (const [index, { hash }] of group.entries()) {
        const value = values.then((buffers) => buffers[index] as ArrayBuffer);
        reads.set(hash, value);
      }
    }
    return reads;
  }

  /**
   * Returns whether so many bytes may be read now. The request that gives up first goes first: others get
   * what it leaves, or small reads would take all room for ever that a large one needs at once.
   */
  private hasRoom(bytes: number, giveUpAt: number): boolean {
    const now = Date.now();
    for (const read of this.underWay) if (now >= read.until) this.underWay.delete(read);
    if (this.first && now >= this.first.until) this.first = undefined;
    const goesFirst = !this.first || giveUpAt <= this.first.giveUpAt;
    const kept = goesFirst ? 0 : (this.first?.bytes ?? 0);
    const isFree = this.underWay.size === 0 && kept === 0;
    const fits = isFree || bytes + kept + bytesOf([...this.underWay]) <= this.maxBytes;
    if (goesFirst) {
      this.first = fits ? undefined : { bytes, giveUpAt, until: now + PRECEDENCE_LIFETIME };
    }
    return fits;
  }

  /** Splits objects into what one read may take. */
  private group(refs: readonly WantedObject[]): WantedObject[][] {
    const groups: WantedObject[][] = [];
    for (const ref of refs) {
      const group = groups.at(-1);
      const fits = group && group.length < this.source.mostKeys;
      if (fits && bytesOf(group) + ref.bytes <= LARGEST_READ) group.push(ref);
      else groups.push([ref]);
    }
    return groups;
  }

  private async readGroup(
    refs: readonly WantedObject[],
    context: ReadContext,
  ): Promise<ArrayBuffer[]> {
    const read = { bytes: bytesOf(refs), until: Date.now() + READ_DEADLINE };
    this.underWay.add(read);
    try {
      return await withDeadline(this.askTwice(refs, context), keyOf(refs[0] as WantedObject));
    } catch (cause) {
      throw new ProblemError('storage_unreachable', UNREADABLE, { cause });
    } finally {
      this.underWay.delete(read);
    }
  }

  /**
   * What is missing or damaged is asked for once more, past all caches: a read may have failed, a fresh
   * object be behind a miss that a cache remembers, or a cached copy be damaged.
   */
  private async askTwice(
    refs: readonly WantedObject[],
    context: ReadContext,
  ): Promise<ArrayBuffer[]> {
    const values = await this.ask(refs, 'cached', context).catch(() => refs.map(() => null));
    const faults = await Promise.all(refs.map((ref, index) => faultOf(values[index], ref)));
    const faulty = refs.filter((_, index) => faults[index] !== null);
    if (faulty.length === 0) return values as ArrayBuffer[];
    const again = await this.ask(faulty, 'retry', context);
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
    context: ReadContext,
  ): Promise<(ArrayBuffer | null)[]> {
    const { storage } = context;
    storage.reads += this.source.readsApart ? refs.length : 1;
    storage.keys += refs.length;
    const objects = refs.map((ref) => ({ key: keyOf(ref), bytes: ref.bytes }));
    const values = await this.source.readObjects(objects, freshness, context);
    for (const value of values) storage.bytes += value?.byteLength ?? 0;
    return values;
  }
}

function bytesOf(objects: readonly { readonly bytes: number }[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

function keyOf({ generation, hash }: WantedObject): string {
  return objectKey(generation, hash);
}

/** Returns why a value is not the object it should be, and where that lies; null when it is. */
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
