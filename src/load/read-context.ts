/** What loading needs to know of the request that it works for, and what it tells it. */
import type { ReadingRequest } from '../storage/snapshot-source.ts';

/** Milliseconds that a request waits for storage in all, before it is told to come again. */
export const MAX_WAIT = 5_000;

/** Milliseconds that it waits for something newer than what the isolate holds. Then that serves on. */
export const MAX_RENEWAL = 1_000;

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
export interface ReadContext extends ReadingRequest {
  /** Added to as storage is read. */
  readonly storage: StorageCost;
  /** When the request stops waiting for storage: milliseconds since 1970. */
  readonly giveUpAt: number;
}
