/**
 * One search after another: each new one ends the one before.
 *
 * The list gives at most 100 stores a request, so a search is a walk by its links: the first hundred
 * are told of at once, the others as the number of stores has doubled, up to 5,000. Stores beyond those
 * are found by zooming in: 100,000 stores would use up a token's allowance for minutes.
 */
import type { Area } from '../../../client/src/query.ts';
import { Comparison, type SnapshotChanges } from './comparison.ts';
import { type FoundStore, foundStore } from './found-store.ts';
import { storesQuery } from './question.ts';
import type { Answer, Service } from './service.ts';
import type { ExploreState } from './state.ts';

/** Stores that are loaded from the service. */
const MOST_STORES = 5_000;

/** What answers: the service, or snapshots, of which the earlier one is asked for what is gone. */
export interface Source {
  readonly service: Service;
  readonly before: Service | null;
  readonly changes: SnapshotChanges | null;
  /** Whether all stores are loaded at once, however many they are. */
  readonly isWhole: boolean;
}

export interface Found {
  /** Stores that match, loaded or not. */
  readonly total: number;
  /** In the order of the answer. */
  readonly stores: readonly FoundStore[];
  /** The first answer. */
  readonly answer: Answer;
  /** Where they were looked for; null: everywhere, or where the question says. */
  readonly area: Area | null;
  readonly isComplete: boolean;
}

export interface SearchEvents {
  /** Told as stores come in. */
  readonly onFound: (found: Found) => void;
  readonly onFault: (error: unknown) => void;
}

export class Search {
  private readonly events: SearchEvents;
  private running = new AbortController();
  /** What is searched, or was searched last; null when that came to nothing. */
  private asked: string | null = null;

  constructor(events: SearchEvents) {
    this.events = events;
  }

  /** Searches, unless the last search was the same. Returns whether it did. */
  run(source: Source, state: ExploreState, area: Area | null): boolean {
    const asked = JSON.stringify([source.service.base, storesQuery(state, area)]);
    if (asked === this.asked) return false;
    this.stop();
    this.asked = asked;
    void this.load(source, state, area, this.running.signal);
    return true;
  }

  /** Ends what is under way, and forgets what was searched. */
  stop(): void {
    this.running.abort();
    this.running = new AbortController();
    this.asked = null;
  }

  private async load(
    source: Source,
    state: ExploreState,
    area: Area | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { service, before, changes, isWhole } = source;
    const most = isWhole ? Number.POSITIVE_INFINITY : MOST_STORES;
    const comparison = changes && new Comparison(changes);
    try {
      // Those that are gone are in the earlier snapshot alone.
      const gone =
        comparison && before ? await lastOf(walk(before, state, area, most, signal)) : null;
      let told = 0;
      for await (const found of walk(service, state, area, most, signal)) {
        if (!found.isComplete && (comparison || found.stores.length < 2 * told)) continue;
        told = found.stores.length;
        const stores = comparison?.join(found.stores, gone?.stores ?? []) ?? found.stores;
        this.events.onFound({ ...found, stores });
      }
    } catch (error) {
      if (signal.aborted) return;
      this.asked = null;
      this.events.onFault(error);
    }
  }
}

/** Everything found so far, after each page. @throws what `Service.pages` throws */
async function* walk(
  service: Service,
  state: ExploreState,
  area: Area | null,
  most: number,
  signal: AbortSignal,
): AsyncGenerator<Found> {
  let stores: readonly FoundStore[] = [];
  let first: Answer | null = null;
  for await (const { page, answer } of service.pages(storesQuery(state, area), signal)) {
    signal.throwIfAborted();
    first ??= answer;
    stores = [...stores, ...page.docs.map(foundStore)];
    const isComplete = stores.length >= Math.min(page.total, most);
    yield { total: page.total, stores, answer: first, area, isComplete };
    if (isComplete) return;
  }
  // Another release has fewer stores than the first page has counted.
  if (first) yield { total: stores.length, stores, answer: first, area, isComplete: true };
}

async function lastOf(steps: AsyncGenerator<Found>): Promise<Found | null> {
  let last: Found | null = null;
  for await (const found of steps) last = found;
  return last;
}
