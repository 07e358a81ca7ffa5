/** The chosen store: fetched whole once, and shown beside the map. */
import type { Store } from '../../../src/model/store.ts';
import { describeFault } from './explorer-words.ts';
import type { FoundStore, Point } from './found-store.ts';
import { storeQuery } from './request.ts';
import type { Search } from './search.ts';
import type { Answer, Service } from './service.ts';
import type { ExploreState } from './state.ts';
import type { StoreDetail } from './store-detail.ts';

export interface StoreChoiceEvents {
  readonly onAnswer: (answer: Answer) => void;
  /** Where the store is; `isNear` when the map need not go there. */
  readonly onPlace: (point: Point | null, isNear: boolean) => void;
  readonly at: () => Date;
}

export class StoreChoice {
  private readonly search: Search;
  private readonly detail: StoreDetail;
  private readonly events: StoreChoiceEvents;
  private loading = new AbortController();
  /** What was asked for last; null when no store is chosen. */
  private asked: string | null = null;
  /** The chosen store; null until it is there. */
  private store: Store | null = null;
  private known: FoundStore | null = null;

  constructor(search: Search, detail: StoreDetail, events: StoreChoiceEvents) {
    this.search = search;
    this.detail = detail;
    this.events = events;
  }

  /**
   * Shows what is chosen, with its hours as they are by now.
   * @param known the store in the list, if it is there
   */
  show(state: ExploreState, known: FoundStore | null): void {
    if (state.store === null) {
      if (this.asked !== null) this.close();
      return;
    }
    if (!this.search.isReady) return;
    this.known = known;
    const service = this.search.serviceFor(known);
    const query = storeQuery(state, known?.rentalPointSlug ?? null);
    const asked = [service.base, state.store, query.lang, query.rentalPointSlug].join(' ');
    if (this.asked === asked) {
      this.draw();
      return;
    }
    this.loading.abort();
    this.loading = new AbortController();
    this.asked = asked;
    this.store = null;
    this.detail.announce(known, 'Loading …');
    if (known?.point) this.events.onPlace(known.point, false);
    const isNear = known?.point != null;
    const { signal } = this.loading;
    void this.load(service.get(state.store, query, signal), isNear, signal);
  }

  /** Forgets what was chosen, whether it is there, on its way or refused. */
  close(): void {
    this.loading.abort();
    this.asked = null;
    this.store = null;
    this.detail.hide();
    this.events.onPlace(null, true);
  }

  private async load(
    asked: ReturnType<Service['get']>,
    isNear: boolean,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const { read, answer } = await asked;
      signal.throwIfAborted();
      this.store = read;
      this.events.onAnswer(answer);
      this.events.onPlace(this.store.geo.location?.point ?? null, isNear);
      this.draw();
    } catch (error) {
      if (!signal.aborted) this.detail.announce(this.known, describeFault(error));
    }
  }

  private draw(): void {
    if (this.store) this.detail.show(this.store, this.known, this.events.at());
  }
}
