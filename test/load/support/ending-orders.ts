/** What a test says to `test/load/support/ending-worker.ts`, and is told. */

/** How storage behaves from now on. */
export interface StorageOrder {
  /** Milliseconds that a read takes. */
  readonly delay?: number;
  /** Reads that never come, from now on. */
  readonly hanging?: number;
  /** Milliseconds that requests of all services wait for storage, until the next order; else they wait for ever. */
  readonly patience?: number;
}

export interface StorageReport {
  /** Keys that were asked for, in order. */
  readonly keys: string[];
  /** Promises that were handed to `waitUntil` and have not settled. */
  readonly open: number;
}
