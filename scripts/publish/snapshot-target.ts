/** The narrow door between the publisher and wherever snapshots are kept. */

export interface SnapshotTarget {
  /** Every key that begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<string>;
  /** The bytes under `key`, or null when there are none. */
  get(key: string): Promise<Uint8Array | null>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Removes `key`; no error when it is not there. */
  delete(key: string): Promise<void>;
}
