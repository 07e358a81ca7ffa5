/** One search after another: each new one ends the one before. */
import type { Wait } from '../../../client/src/retries.ts';
import { Comparison, type ViewedSnapshots } from './comparison.ts';
import type { FoundStore } from './found-store.ts';
import { type Found, loadStores } from './load-stores.ts';
import { listPath } from './request.ts';
import { Service } from './service.ts';
import type { ExploreState } from './state.ts';

/** Stores that are loaded from the service before the user asks for more: 50 requests. */
const MOST_AT_FIRST = 5_000;

export interface SearchEvents {
  /** Told as stores come in. */
  readonly onFound: (found: Found) => void;
  readonly onFault: (error: unknown) => void;
  readonly onWait: (wait: Wait) => void;
}

export class Search {
  private readonly events: SearchEvents;
  private readonly snapshots: ViewedSnapshots | null;
  private readonly comparison: Comparison | null;
  /** Null while there is no token. */
  private token: string | null = null;
  private running = new AbortController();
  /** What was searched last; null when that came to nothing. */
  private path: string | null = null;
  private isLoading = false;
  private most = MOST_AT_FIRST;

  /** @param snapshots what `snapshot view` serves; null before the service itself */
  constructor(snapshots: ViewedSnapshots | null, events: SearchEvents) {
    this.events = events;
    this.snapshots = snapshots;
    this.comparison = snapshots?.changes ? new Comparison(snapshots.changes) : null;
    if (snapshots) this.most = Number.POSITIVE_INFINITY;
  }

  /** Forgets the token before when it is null. */
  useToken(token: string | null): void {
    this.token = token;
    this.stop();
  }

  /** Whether more of the last search is on its way. */
  get isRunning(): boolean {
    return this.isLoading;
  }

  get isReady(): boolean {
    return this.token !== null || this.snapshots !== null;
  }

  /** What answers now: the service, or the later snapshot. */
  get service(): Service {
    return this.serviceAt(this.snapshots?.after.base ?? '');
  }

  /** What answers for a store: where two snapshots are compared it may only be in the earlier. */
  serviceFor(store: FoundStore | null): Service {
    const { before } = this.snapshots ?? {};
    return store?.change === 'removed' && before ? this.serviceAt(before.base) : this.service;
  }

  /** Searches, unless the last search was the same. Returns whether it did. */
  run(state: ExploreState): boolean {
    if (!this.isReady || firstPath(state) === this.path) return false;
    if (!this.snapshots) this.most = MOST_AT_FIRST;
    void this.load(state);
    return true;
  }

  /** Searches again and loads as many stores more. */
  loadMore(state: ExploreState): void {
    this.most += MOST_AT_FIRST;
    void this.load(state);
  }

  private async load(state: ExploreState): Promise<void> {
    this.running.abort();
    this.running = new AbortController();
    this.path = firstPath(state);
    this.isLoading = true;
    const { signal } = this.running;
    try {
      const found = await this.find(state, signal);
      signal.throwIfAborted();
      this.isLoading = false;
      this.events.onFound(found);
    } catch (error) {
      if (signal.aborted) return;
      // Other pages may be on their way still.
      this.stop();
      this.events.onFault(error);
    }
  }

  private stop(): void {
    this.running.abort();
    this.isLoading = false;
    this.path = null;
  }

  private async find(state: ExploreState, signal: AbortSignal): Promise<Found> {
    const { comparison, snapshots, most } = this;
    const before = comparison?.removedCount ? snapshots?.before : null;
    const gone = before
      ? loadStores(this.serviceAt(before.base), state, { signal, most, onFound: () => {} })
      : null;
    // The caller that waits for the other half gets the error.
    gone?.catch(() => {});
    const onFound = comparison ? () => {} : this.events.onFound;
    const found = await loadStores(this.service, state, { signal, most, onFound });
    if (!comparison) return found;
    return { ...found, stores: comparison.join(found.stores, (await gone)?.stores ?? []) };
  }

  private serviceAt(base: string): Service {
    return new Service({ base, token: this.token, onWait: this.events.onWait });
  }
}

/** Two searches are the same when their first requests are. */
function firstPath(state: ExploreState): string {
  return listPath(state, { skip: 0, isShown: true });
}
