/** The narrow door between the Worker and wherever snapshots are kept. */

/**
 * How a value may be cached on its way: `immutable` values are named by their content and never
 * change; `mutable` ones (the pointer to the current release) must be as fresh as the store allows;
 * `retry` reads an immutable value that was missing a moment ago past any cached miss.
 */
export type Freshness = 'immutable' | 'mutable' | 'retry';

export interface SnapshotSource {
  /** The bytes under `key`, or null when there are none (yet). Throws when storage fails. */
  read(key: string, freshness: Freshness): Promise<ArrayBuffer | null>;
}
