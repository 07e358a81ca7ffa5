/** The narrow door between the publisher and wherever snapshots are kept. */

/** Something to be put, read only when its turn comes. */
export interface Upload {
  readonly key: string;
  /** Length in bytes. */
  readonly size: number;
  readonly read: () => Promise<Uint8Array>;
}

/** Asked before something that may have failed is tried once more; what it throws ends the trying. */
export type BeforeRepeat = () => Promise<void>;

export interface SnapshotTarget {
  /** Every key that begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<string>;
  /** The bytes under `key`, or null when there are none. */
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, bytes: Uint8Array, beforeRepeat?: BeforeRepeat): Promise<void>;
  /** Removes `key`; no error when it is not there. */
  delete(key: string): Promise<void>;
  /**
   * Puts `bytes` under `key` if `isExpected` holds for what is there at that instant (null: nothing),
   * and returns whether it did. Only storage that compares and writes in one step has this.
   */
  replace?(
    key: string,
    bytes: Uint8Array,
    isExpected: (current: Uint8Array | null) => boolean,
  ): Promise<boolean>;
  /**
   * Puts many where that is faster than one by one, and tells of each that is stored. Absent where
   * it is not: `putAll` of in-bulk.ts stands for both.
   */
  putAll?(uploads: readonly Upload[], stored: (upload: Upload) => void): Promise<void>;
  /**
   * Waits until listings show everywhere what was written and deleted before. Absent where they do
   * so at once.
   */
  settle?(): Promise<void>;
  /** Removes many where that is faster than one by one; `deleteAll` of in-bulk.ts stands for both. */
  deleteAll?(keys: readonly string[]): Promise<void>;
}
