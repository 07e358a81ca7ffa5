/** What the service answers with. */

/** A page of a list. */
export interface Page<S> {
  /** Stores that match, on all pages. */
  readonly total: number;
  readonly docs: S[];
  /** The release that this page comes from. Pages of one walk may come from different ones. */
  readonly release: string;
}

/** A store that differs between two releases. */
export interface Change {
  readonly id: string;
  /** Of a removed store, its last one. */
  readonly slug: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** What differs between two releases. */
export interface Changes {
  readonly since: string;
  readonly release: string;
  /** In the order of ids. */
  readonly docs: Change[];
}
