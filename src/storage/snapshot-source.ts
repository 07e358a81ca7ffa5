/** What the Worker needs of a place where snapshots are kept. */

/**
 * How a value may be cached on its way.
 * - `immutable`: named by its content, so it never changes and may be cached for long.
 * - `mutable`: the pointer to the current release; as fresh as the place allows.
 * - `retry`: an immutable value that was missing or damaged a moment ago. What a cache remembers of
 *   it is neither relied on nor kept, as far as the place allows.
 */
export type Freshness = 'immutable' | 'mutable' | 'retry';

export interface SnapshotSource {
  /** The bytes under `key`, or null when there are none (yet). Throws when storage fails. */
  read(key: string, freshness: Freshness): Promise<ArrayBuffer | null>;
}
