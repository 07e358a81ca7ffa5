/**
 * Reads the objects of a snapshot and vouches for them: content, not storage, is trusted.
 *
 * Every read has a deadline, and only so many bytes are on their way at once; other reads wait in
 * line for their turn.
 */
import { ProblemError } from '../problem.ts';
import { expectEqual } from '../snapshot/format-error.ts';
import { FORMAT_VERSION, objectKeyIn } from '../snapshot/keys.ts';
import { type ObjectRef, objectHash } from '../snapshot/manifest.ts';
import type { Freshness, SnapshotSource } from '../storage/snapshot-source.ts';
import type { Background } from './background.ts';
import { LoadingLine } from './loading-line.ts';
import { DeadlineError, withDeadline } from './shared-loads.ts';

/** Bytes that one read asks for, unless a single object is larger. */
const LARGEST_READ = 1024 * 1024;

const UNREADABLE = 'Part of the store data could not be read from storage.';

/** An object that is wanted. */
export interface WantedObject extends ObjectRef {
  /** What the log calls it. */
  readonly what: string;
  /** Version of the format whose key it has, if it is not this one. */
  readonly format?: number;
}

/** How objects are to be read. */
export interface ReadOptions {
  /** One read for each: for a few large ones, of which none is to wait for another. */
  readonly apart?: boolean;
  /** Called when the reads begin, which may have to wait for their turn. */
  readonly begun?: () => void;
}

export class ObjectReader {
  private readonly source: SnapshotSource;
  private readonly line: LoadingLine;

  /** @param bytesAtOnce how many bytes may be on their way at once */
  constructor(source: SnapshotSource, bytesAtOnce: number) {
    this.source = source;
    this.line = new LoadingLine(bytesAtOnce);
  }

  /**
   * Begins to read objects, each checked against its length and hash; a promise for each by hash.
   * They are on their way together or not at all, so that nobody holds half of a page in memory
   * while it waits for the other half.
   * @param refs each object once
   * Rejections are ProblemError storage_unreachable.
   */
  read(
    refs: readonly WantedObject[],
    background: Background,
    { apart = false, begun }: ReadOptions = {},
  ): ReadonlyMap<string, Promise<ArrayBuffer>> {
    const turn = this.line.enter(refs.reduce((sum, ref) => sum + ref.bytes, 0));
    const reads = new Map<string, Promise<ArrayBuffer>>();
    const all: Promise<unknown>[] = [];
    if (begun) all.push(turn.then(begun));
    for (const group of apart ? refs.map((ref) => [ref]) : this.group(refs)) {
      const values = turn.then(() => this.readGroup(group, background));
      all.push(values);
      group.forEach(({ hash }, index) => {
        reads.set(
          hash,
          values.then((buffers) => buffers[index] as ArrayBuffer),
        );
      });
    }
    const done = Promise.allSettled(all).then(async () => this.line.leave(await turn));
    background.defer(done);
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
      const values = await this.askOrMiss(refs, background);
      const checks = await Promise.all(refs.map((ref, index) => faultOf(values[index], ref)));
      const faulty = refs.filter((_, index) => checks[index] !== null);
      if (faulty.length > 0) {
        // The read may have failed, a fresh object be behind a miss that a cache remembers, or a
        // cached copy be damaged.
        const again = await this.ask(faulty, 'retry', background);
        for (const [index, ref] of faulty.entries()) {
          const fault = await faultOf(again[index], ref);
          if (fault !== null) throw fault;
          values[refs.indexOf(ref)] = again[index] as ArrayBuffer;
        }
      }
      return values as ArrayBuffer[];
    } catch (cause) {
      throw new ProblemError('storage_unreachable', UNREADABLE, { cause });
    }
  }

  /** A read that fails found nothing, unless it took so long that nobody waits any more. */
  private async askOrMiss(
    refs: readonly WantedObject[],
    background: Background,
  ): Promise<(ArrayBuffer | null)[]> {
    try {
      return await this.ask(refs, 'cached', background);
    } catch (error) {
      if (error instanceof DeadlineError) throw error;
      return refs.map(() => null);
    }
  }

  private async ask(
    refs: readonly WantedObject[],
    freshness: Freshness,
    background: Background,
  ): Promise<(ArrayBuffer | null)[]> {
    const { storage } = background;
    storage.reads += this.source.readsApart ? refs.length : 1;
    storage.keys += refs.length;
    const keys = refs.map(keyOf);
    const read = this.source.readObjects(keys, freshness, background);
    const values = await withDeadline(read, keys[0] ?? '');
    for (const value of values) storage.bytes += value?.byteLength ?? 0;
    return values;
  }
}

const keyOf = ({ hash, format = FORMAT_VERSION }: WantedObject): string =>
  objectKeyIn(format, hash);

/** Why a value is not the object it should be, and where that lies; null when it is. */
async function faultOf(
  value: ArrayBuffer | null | undefined,
  wanted: WantedObject,
): Promise<Error | null> {
  const name = `${wanted.what} (${keyOf(wanted)})`;
  if (!value) return new Error(`${name} is missing`);
  try {
    expectEqual(`${name} length`, value.byteLength, wanted.bytes);
    expectEqual(`${name} hash`, await objectHash(value), wanted.hash);
    return null;
  } catch (error) {
    return error as Error;
  }
}
