/** The chosen store: fetched whole once, and shown beside the map. */
import type { Store } from '../../../src/model/store.ts';
import { describeFault } from './explorer-words.ts';
import type { FoundStore, Point } from './found-store.ts';
import { storePath } from './request.ts';
import type { Search } from './search.ts';
import type { Answer } from './service.ts';
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

  constructor(search: Search, detail: StoreDetail, events: StoreChoiceEvents) {
    this.search = search;
    this.detail = detail;
    this.events = events;
  }

  /** @param known the store in the list, if it is there */
  show(state: ExploreState, known: FoundStore | null): void {
    if (state.store === null) {
      if (this.asked !== null) this.close();
      return;
    }
    if (!this.search.isReady) return;
    const service = this.search.serviceFor(known);
    const path = storePath(state, state.store, known?.rentalPointSlug ?? null);
    if (this.asked === service.base + path) return;
    this.loading.abort();
    this.loading = new AbortController();
    this.asked = service.base + path;
    this.detail.announce(known, 'Loading …');
    if (known?.point) this.events.onPlace(known.point, false);
    void this.load(() => service.get(path, this.loading.signal), known, this.loading.signal);
  }

  private async load(
    get: () => Promise<Answer>,
    known: FoundStore | null,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const answer = await get();
      const store: Store = JSON.parse(answer.text);
      this.events.onAnswer(answer);
      this.events.onPlace(store.geo.location?.point ?? null, known?.point != null);
      this.detail.show(store, known, this.events.at());
    } catch (error) {
      if (!signal.aborted) this.detail.announce(known, describeFault(error));
    }
  }

  private close(): void {
    this.loading.abort();
    this.asked = null;
    this.detail.hide();
    this.events.onPlace(null, true);
  }
}
