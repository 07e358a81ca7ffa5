/**
 * The narrow door between the commands and wherever things are kept. Four kinds of storage stand
 * behind it: local KV, local R2, Cloudflare's KV, Cloudflare's R2.
 */
import type { Clock } from './pace.ts';

/** A key as a list shows it. */
export interface StoredKey {
  readonly key: string;
  /** Length of the value as it was put; null when storage does not tell. */
  readonly bytes: number | null;
}

/** A value by its measures. */
export interface ValueSize {
  readonly key: string;
  /** Length in bytes; of one that is to be read, at most. */
  readonly size: number;
}

/** The bytes of some values that are to be put, in their order: asked for when their turn comes. */
export type ReadValues<Upload> = (uploads: readonly Upload[]) => Promise<readonly Uint8Array[]>;

/** What a publication comes to at Cloudflare. */
export interface Price {
  readonly requests: number;
  /** At the pace that is allowed. */
  readonly seconds: number;
  /** Writes of a day of the free plan; null where there is no such limit. */
  readonly freeWrites: number | null;
}

export interface KeyValueStore {
  /** Milliseconds by which reads and lists may be late; 0: they show at once what was written. */
  readonly lateness: number;
  /** Every key that begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredKey>;
  /** The bytes under `key`, or null when there are none. */
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Removes `key`; no error when it is not there. */
  delete(key: string): Promise<void>;
  /** Reads many where that costs less than one by one; `getAll` of in-flight.ts stands for both. */
  getAll?(values: readonly ValueSize[]): Promise<(Uint8Array | null)[]>;
  /**
   * Puts many where that is faster than one by one, and tells of each that is stored. `putAll` of
   * in-flight.ts stands for both ways.
   */
  putAll?<Upload extends ValueSize>(
    uploads: readonly Upload[],
    read: ReadValues<Upload>,
    stored?: (upload: Upload) => void,
  ): Promise<void>;
  /** Removes many where that is faster than one by one; `deleteAll` of in-flight.ts stands for both. */
  deleteAll?(keys: readonly string[]): Promise<void>;
  /**
   * What it takes to publish so many objects of so many bytes in all. Absent on this machine, where
   * requests are not counted.
   */
  price?(objects: number, bytes: number): Price;
}

/** A key of a KV namespace. */
export interface KvKey extends StoredKey {
  /** What was put beside the value: whatever it is, for other tools may have put it. */
  readonly metadata: unknown;
}

/** A KV namespace: its lists show what was put beside the values. */
export interface KvStore extends KeyValueStore {
  /** Every key that begins with `prefix`, in order: 1,000 a request. */
  list(prefix: string): AsyncIterable<KvKey>;
  /** @param metadata at most 1,024 bytes as JSON; by default the length of the value */
  put(key: string, bytes: Uint8Array, metadata?: object): Promise<void>;
  /**
   * What time it is by the clock of the storage, as its last answer told, or by that of this machine
   * before the first answer; milliseconds since 1970.
   */
  now(): number;
}

/** A key of a ledger, with the time at which its value was put, by the clock of the storage. */
export interface LedgerKey extends StoredKey {
  /** Milliseconds since 1970. */
  readonly storedAt: number;
}

/** Storage that shows at once what was written, and on which two writers can be told apart: R2. */
export interface Ledger extends KeyValueStore {
  /** Every key that begins with `prefix`, in the order of code units. */
  list(prefix: string): AsyncIterable<LedgerKey>;
  /**
   * Puts `bytes` under `key` if nothing is there, and returns whether it did. A write that was done
   * although it seemed to fail is repeated, and returns false then.
   */
  create(key: string, bytes: Uint8Array): Promise<boolean>;
  /** What time it is by the clock of the storage, milliseconds since 1970. */
  now(): Promise<number>;
}

/** Whose snapshots they are, and what Workers read: `kv <namespace id>`, `r2 <bucket>`. */
export interface Site {
  readonly environment: string;
  readonly place: string;
}

/** Where an environment keeps its snapshots. */
export interface SnapshotTarget {
  readonly site: Site;
  /** Milliseconds after which no Worker reads any more what a pointer before the last one named. */
  readonly readersWait: number;
  /** What waits go by. */
  readonly clock: Clock;
  /** Told of every wait, for storage or for readers; milliseconds. */
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
  /** What Workers read: the pointer, manifests and objects, in KV or in R2. */
  readonly objects: KeyValueStore;
  /** What decides: the log; in R2 whichever store serves. */
  readonly ledger: Ledger;
}
