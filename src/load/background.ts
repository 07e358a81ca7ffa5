/** What the load layer needs of the request that it works for. */

/** What storage cost a request. */
export interface StorageCost {
  /** Operations; one that reads many values counts once. */
  reads: number;
  /** Values asked for. */
  keys: number;
  /** Bytes of the values that came. */
  bytes: number;
  /** Milliseconds waited, for reads of other requests too. */
  waited: number;
}

export interface Background {
  /** Keeps work alive after the response has been sent (`ctx.waitUntil`). */
  defer(work: Promise<unknown>): void;
  /** Added to as storage is read. */
  readonly storage: StorageCost;
}

export function noStorageCost(): StorageCost {
  return { reads: 0, keys: 0, bytes: 0, waited: 0 };
}
