/**
 * Reads of storage: the interface between the Worker and wherever snapshots are kept, what reads cost a
 * request, and when they have taken too long.
 */

/** Milliseconds that a request waits for storage in all. Then the answer says to come again. */
export const MAX_WAIT = 5_000;

/** Milliseconds that it waits for something newer than what the isolate holds. Then that serves on. */
export const MAX_RENEWAL = 1_000;

/** Milliseconds that a read may take. Requests that wait for it give up sooner; this ends reads that hang. */
export const READ_DEADLINE = 10_000;

/** Something took too long. What is read may still come, and is kept then. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** Returns whether `work` settles within so many milliseconds. Rejects when `work` does. */
export async function settlesWithin(
  work: Promise<unknown>,
  milliseconds: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), milliseconds);
  try {
    return await Promise.race([work.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns what `read` brings, which asks storage for `key`. @throws DeadlineError when it takes too long */
export async function withDeadline<Value>(read: Promise<Value>, key: string): Promise<Value> {
  if (await settlesWithin(read, READ_DEADLINE)) return read;
  throw new DeadlineError(`reading ${key} took longer than ${READ_DEADLINE} ms`);
}

/**
 * Returns what `read` brings. Tries once more when it fails or what came is damaged: connections often
 * break off. @throws what the second try throws
 */
export async function readTwice<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DeadlineError) throw error;
    return read();
  }
}

/** What storage cost a request: loading adds to it, the request's log line shows its fields. */
export class StorageCost {
  /** Operations, such as one get of a single key or of many at once. */
  reads = 0;
  /** Keys asked for by all of them. */
  keys = 0;
  /** Bytes of the values that came. */
  bytes = 0;
  /** Milliseconds that the request waited, for reads of other requests too. */
  waited = 0;
  /** Waits that are under way, and since when there has been one (milliseconds since 1970). */
  #waits = 0;
  #since = 0;

  /**
   * Returns what `work` brings, and adds the time until then to `waited`. Time in which it waits for
   * several things counts once.
   */
  async measureWait<Value>(work: Promise<Value>): Promise<Value> {
    if (this.#waits++ === 0) this.#since = Date.now();
    try {
      return await work;
    } finally {
      if (--this.#waits === 0) this.waited += Date.now() - this.#since;
    }
  }
}

/** The request that storage is read for. */
export interface ReadContext {
  /** Of its URL, with the port if there is one. */
  readonly host: string;
  /** Added to as storage is read. */
  readonly storage: StorageCost;
  /** When the request stops waiting for storage: milliseconds since 1970. */
  readonly giveUpAt: number;
  /** Keeps work alive after the response has been sent (`ctx.waitUntil`). */
  defer(work: Promise<unknown>): void;
}

/**
 * How objects may be cached on their way. They are named by their content and never change, so
 * usually any cache will do; `retry` goes past what a cache may have got wrong: a miss it remembers,
 * or a copy that turned out damaged.
 */
export type Freshness = 'cached' | 'retry';

/** Called with what operators have to know. It is never given a secret. */
export type Report = (event: string, error: unknown) => void;

/** Bytes of the objects that one read takes together. */
export const MAX_READ_BYTES = 1024 * 1024;

/** Returns whether an object of so many bytes is never read together with others. */
export function isReadAlone(bytes: number): boolean {
  return bytes > MAX_READ_BYTES;
}

/** An object of a snapshot as storage knows it. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

export interface SnapshotSource {
  /** How many objects one read may take. */
  readonly maxKeys: number;
  /** True where every object is an operation of its own: the log line counts operations. */
  readonly readsApart?: boolean;
  /**
   * Returns the bytes of a small document that changes, as fresh as the store allows; null when there
   * is none. Throws when storage fails.
   */
  readDocument(key: string, context: ReadContext): Promise<ArrayBuffer | null>;
  /**
   * Returns the bytes of `objects`, in the same order: at most `maxKeys` of them, and of at most `MAX_READ_BYTES`
   * bytes together, or a single one. Null for each that is not there (yet). Throws when storage fails.
   */
  readObjects(
    objects: readonly StoredObject[],
    freshness: Freshness,
    context: ReadContext,
  ): Promise<(ArrayBuffer | null)[]>;
}
