/**
 * The narrow door between the commands and wherever things are kept. Four kinds of storage stand
 * behind it: local KV, local R2, Cloudflare's KV, Cloudflare's R2. Work on many values is done a few at a
 * time, or all at once where storage can do that; JSON is sealed.
 *
 * In KV objects lie as the base64 text of their bytes, because the Worker reads many of them at once, which KV
 * does for text alone. Large objects, which it reads alone, and everything else lie there as they are. The
 * metadata of a value holds its length, which lists show.
 */
import type * as z from 'zod';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { isReadAlone } from '../../src/storage/reading.ts';
import { readSealed, sealJson } from '../../src/storage/sealed-json.ts';
import type { Clock } from '../cli/pace.ts';
import type { CommandContext } from '../cli/run-command.ts';

/** A key as a list shows it. */
export interface StoredKey {
  readonly key: string;
  /** Length of the value as it was put; null when storage does not tell. */
  readonly bytes: number | null;
}

/** A value by its measures. */
export interface ValueSize {
  readonly key: string;
  /** Its length; at most, of a value that is to be read. */
  readonly bytes: number;
}

/** The bytes of some values that are to be put, in their order: asked for when their turn comes. */
export type ReadValues<Upload> = (uploads: readonly Upload[]) => Promise<readonly Uint8Array[]>;

export interface KeyValueStore {
  /** Milliseconds by which reads and lists may be late; 0: they show at once what was written. */
  readonly lateness: number;
  /** Writes of a day of Cloudflare's free plan; null: no such limit; absent on this machine. */
  readonly freeWrites?: number | null;
  /** Every key that begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredKey>;
  /** The bytes under `key`, or null when there are none. */
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Removes `key`; no error when it is not there. */
  delete(key: string): Promise<void>;
  /** Reads many where that costs less than one by one; `getAll` below stands for both. */
  getAll?(values: readonly ValueSize[]): Promise<(Uint8Array | null)[]>;
  /**
   * Puts many where that is faster than one by one, and calls `stored` for each. `putAll` below
   * stands for both ways.
   */
  putAll?<Upload extends ValueSize>(
    uploads: readonly Upload[],
    read: ReadValues<Upload>,
    stored?: (upload: Upload) => void,
  ): Promise<void>;
  /** Removes many, 10,000 at most, where that is faster than one by one; `deleteAll` below stands for both. */
  deleteAll?(keys: readonly string[]): Promise<void>;
}

/** A KV namespace. */
export interface KvStore extends KeyValueStore {
  /**
   * Returns the time by the clock of the storage, as its last answer had it, or by the clock of this machine
   * before the first answer; milliseconds since 1970.
   */
  now(): number;
}

/** A key of a ledger, with the time at which its value was put, by the clock of the storage. */
export interface LedgerKey extends StoredKey {
  readonly bytes: number;
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
  /** Returns the time by the clock of the storage, milliseconds since 1970. */
  now(): Promise<number>;
}

/** Whose snapshots they are, and what Workers read: `kv <namespace id>`, `r2 <bucket>`. */
export interface Site {
  readonly environment: string;
  readonly place: string;
}

/** Where an environment keeps its snapshots. */
export interface SnapshotTarget {
  /** Of the command that works on it. Once its signal is aborted, waits and work end before their next step. */
  readonly context: CommandContext;
  readonly site: Site;
  /** Milliseconds after which no Worker reads any more what a pointer before the last one named. */
  readonly readersWait: number;
  /** What waits go by. */
  readonly clock: Clock;
  /** What Workers read: the pointer, manifests and objects, in KV or in R2. */
  readonly objects: KeyValueStore;
  /** What decides: the log; in R2 whichever store serves. */
  readonly ledger: Ledger;
}

/** Requests to storage under way at once: the fastest way into local storage. */
const IN_FLIGHT = 16;

/**
 * Runs `work` on every item, `limit` at once. After an error no further item is begun; what is
 * under way is waited for, then the first error is thrown.
 */
export async function forEachInFlight<T>(
  items: Iterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  // One iterator for all who work: an error ends it, so that no other begins a further item.
  const left = Iterator.from(items).drop(0);
  const workers = Array.from({ length: limit }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.allSettled(workers);
  await Promise.all(workers);
}

/** Returns every key that begins with `prefix`, as storage lists them. */
export async function listKeys(store: KeyValueStore, prefix: string): Promise<string[]> {
  return (await Array.fromAsync(store.list(prefix))).map(({ key }) => key);
}

/** Returns the bytes of many values, in the same order; null for a value that is not there. */
export async function getAll(
  store: KeyValueStore,
  values: readonly ValueSize[],
): Promise<(Uint8Array | null)[]> {
  if (store.getAll) return store.getAll(values);
  const found: (Uint8Array | null)[] = [];
  await forEachInFlight(values.entries(), IN_FLIGHT, async ([index, { key }]) => {
    found[index] = await store.get(key);
  });
  return found;
}

/** Puts every upload, and calls `stored` for each. After an error nothing more is begun. */
export async function putAll<Upload extends ValueSize>(
  store: KeyValueStore,
  uploads: readonly Upload[],
  read: ReadValues<Upload>,
  stored: (upload: Upload) => void,
): Promise<void> {
  if (store.putAll) return store.putAll(uploads, read, stored);
  await forEachInFlight(uploads, IN_FLIGHT, async (upload) => {
    for (const bytes of await read([upload])) await store.put(upload.key, bytes);
    stored(upload);
  });
}

/** Removes every key, of at most 10,000; no error for a key that is not there. */
export async function deleteAll(store: KeyValueStore, keys: readonly string[]): Promise<void> {
  if (store.deleteAll) return store.deleteAll(keys);
  await forEachInFlight(keys, IN_FLIGHT, (key) => store.delete(key));
}

export function encodeJson(value: object): Uint8Array {
  return new TextEncoder().encode(sealJson(value));
}

/** Returns the document in `bytes`; null when there is none, a damaged one, or not what `schema` expects. */
export function parseJson<T>(bytes: Uint8Array | null, schema: z.ZodType<T>): T | null {
  if (!bytes) return null;
  try {
    return readSealed(new TextDecoder().decode(bytes), schema);
  } catch {
    return null;
  }
}

/** Returns whether a value is stored as base64. */
export function isStoredAsBase64({ key, bytes }: ValueSize): boolean {
  return key.startsWith(OBJECT_PREFIX) && !isReadAlone(bytes);
}

/** Returns whether a value is stored as bytes that are no text, which bulk reads cannot give. */
export function isLargeObject({ key, bytes }: ValueSize): boolean {
  return key.startsWith(OBJECT_PREFIX) && isReadAlone(bytes);
}

/** Returns what is stored under `key` for `bytes`. */
export function encodeKvValue(key: string, bytes: Uint8Array): Uint8Array {
  return isStoredAsBase64({ key, bytes: bytes.length })
    ? Buffer.from(bytes.toBase64(), 'latin1')
    : bytes;
}

/**
 * Returns the bytes that are stored under `key` as `value`. An object that is no base64 comes as it is: it is a large
 * one, whose zeros are no letters of base64, or its hash tells that it is damaged.
 */
export function decodeKvValue(key: string, value: Uint8Array): Uint8Array {
  if (!key.startsWith(OBJECT_PREFIX)) return value;
  const text = Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1');
  const bytes = new Uint8Array(Buffer.from(text, 'base64'));
  // Node passes over what is no base64; the Worker does not.
  return bytes.toBase64() === text ? bytes : value;
}
