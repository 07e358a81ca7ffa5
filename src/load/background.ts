/** What loading needs of the request that it works for. */
import type { ReadingRequest } from '../storage/snapshot-source.ts';

/** What storage cost a request: loading adds to it, the request's log line shows it. */
export interface StorageCost {
  /** Operations, such as one get of a single key or of many at once. */
  reads: number;
  /** Keys asked for by all of them. */
  keys: number;
  /** Bytes of the values that came. */
  bytes: number;
  /** Milliseconds that the request waited, for reads of other requests too. */
  waited: number;
}

export interface Background extends ReadingRequest {
  /** Added to as storage is read. */
  readonly storage: StorageCost;
}

/** Milliseconds that a request waits for storage in all, before it is told to come again. */
export const LONGEST_WAIT = 5_000;

/** Waits that are under way: how many, and since when there has been one. */
interface Waits {
  count: number;
  /** Milliseconds since 1970. */
  since: number;
}

const waits = new WeakMap<StorageCost, Waits>();

/** The cost of a request that has read nothing yet. */
export function noStorageCost(): StorageCost {
  return { reads: 0, keys: 0, bytes: 0, waited: 0 };
}

/**
 * What `work` comes to. The request counts as waiting until then; time in which it waits for several
 * things counts once.
 */
export async function awaitStorage<Value>(
  work: Promise<Value>,
  { storage }: Background,
): Promise<Value> {
  const own = waits.get(storage) ?? { count: 0, since: 0 };
  waits.set(storage, own);
  if (own.count === 0) own.since = Date.now();
  own.count++;
  try {
    return await work;
  } finally {
    own.count--;
    if (own.count === 0) storage.waited += Date.now() - own.since;
  }
}

/** Milliseconds that the request may still wait. */
export function patienceOf({ storage }: Background): number {
  return Math.max(0, LONGEST_WAIT - storage.waited);
}
