/** The interface between the Worker and wherever snapshots are kept. */
import type { ReadContext } from './reading.ts';

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
