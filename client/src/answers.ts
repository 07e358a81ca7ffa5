/** What the service answers with. */
import type { Facet } from './query.ts';

/** A page of a list. */
export interface Page<S> {
  /** Stores that match, on all pages. */
  readonly total: number;
  readonly docs: S[];
  /** Numbers of stores by word, if they were asked for. Words that no store has are left out. */
  readonly facets?: { readonly [Each in Facet]?: Readonly<Record<string, number>> };
  /** How `q` was read: `close` where no store has the words as they were typed. */
  readonly reading?: 'exact' | 'close';
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
