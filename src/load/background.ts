/** What loading needs of the request that it works for. */
import type { ReadingRequest } from '../storage/snapshot-source.ts';

/** Milliseconds that a request waits for storage in all, before it is told to come again. */
export const LONGEST_WAIT = 5_000;

/** Milliseconds that it waits for something newer than what the isolate holds. Then that serves on. */
export const LONGEST_RENEWAL = 1_000;

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

  /** Milliseconds that the request may still wait. */
  get patience(): number {
    return Math.max(0, LONGEST_WAIT - this.waited);
  }

  /**
   * What `work` comes to. The request counts as waiting until then; time in which it waits for several
   * things counts once.
   */
  async waitFor<Value>(work: Promise<Value>): Promise<Value> {
    if (this.#waits++ === 0) this.#since = Date.now();
    try {
      return await work;
    } finally {
      if (--this.#waits === 0) this.waited += Date.now() - this.#since;
    }
  }
}

export interface Background extends ReadingRequest {
  /** Added to as storage is read. */
  readonly storage: StorageCost;
}
