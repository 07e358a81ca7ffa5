/** What the load layer needs of the request that it works for. */

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

export interface Background {
  /** Keeps work alive after the response has been sent (`ctx.waitUntil`). */
  defer(work: Promise<unknown>): void;
  /** Added to as storage is read. */
  readonly storage: StorageCost;
}

/** The cost of a request that has read nothing yet. */
export function noStorageCost(): StorageCost {
  return { reads: 0, keys: 0, bytes: 0, waited: 0 };
}
