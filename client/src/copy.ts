/** Where a partner keeps stores: what `sync` asks of it. */
import type { FieldPath } from './fields.ts';
import type { Filters, View } from './query.ts';

/** What a copy knows of itself: JSON, to be stored as it is. */
export interface CopyState {
  /** The release that the copy is equal to; null while it is being changed. */
  readonly release: string | null;
  /**
   * While it is being changed: releases that its stores come from, so that the next `sync` can go on
   * from here. None: it is being filled for the first time, or anew.
   */
  readonly mixed: readonly string[];
  /** What was asked for, and where. A copy of something else is filled anew. */
  readonly query: string;
}

/**
 * Keeps stores. The case of letters in ids may change and means nothing. What a method has done has to last
 * when it returns (or its promise is settled), and in the order of the calls: a copy that was interrupted is
 * then never taken for whole.
 */
export interface StoreCopy<S> {
  /** What `save` was last given; null before that. */
  readonly load: () => CopyState | null | Promise<CopyState | null>;
  readonly save: (state: CopyState) => void | Promise<void>;
  /** The ids of all stores in the copy. */
  readonly ids: () => Iterable<string> | AsyncIterable<string> | Promise<Iterable<string>>;
  /** Adds stores, or replaces stores of the same id. At most 100. */
  readonly put: (stores: readonly S[]) => void | Promise<void>;
  /** Removes stores. Some of the ids may not be there. */
  readonly remove: (ids: readonly string[]) => void | Promise<void>;
}

export interface SyncOptions<Fields extends readonly FieldPath[] | undefined>
  extends Pick<Filters, 'verticale'>,
    View<Fields> {
  /** Ends the call, a wait included. */
  readonly signal?: AbortSignal | undefined;
}

export interface SyncResult {
  /** The release that the copy is equal to. */
  readonly release: string;
  /** Whether all stores were fetched. */
  readonly walked: boolean;
  /** Stores put. A store that was put twice counts twice. */
  readonly put: number;
  /** Ids given to `remove`, of which some may not have been in the copy. */
  readonly removed: number;
}

/** A copy in memory, for programs that start anew each time, and as an example. */
export class MemoryCopy<S extends { readonly id: string }> implements StoreCopy<S> {
  /** By ids in lower case. */
  readonly stores = new Map<string, S>();
  state: CopyState | null = null;

  load(): CopyState | null {
    return this.state;
  }

  save(state: CopyState): void {
    this.state = state;
  }

  ids(): Iterable<string> {
    return this.stores.keys();
  }

  put(stores: readonly S[]): void {
    for (const store of stores) this.stores.set(store.id.toLowerCase(), store);
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) this.stores.delete(id.toLowerCase());
  }
}
