/** The numbers of the filters, asked for once the question and the map have come to rest. */
import type { Page } from '../../../client/src/answers.ts';
import type { Area } from '../../../client/src/query.ts';
import { facetsQuery } from './question.ts';
import type { Service } from './service.ts';
import type { ExploreState } from './state.ts';

/** Milliseconds. */
const SETTLE = 200;

export type Facets = NonNullable<Page<unknown>['facets']>;

export class FacetCounts {
  private readonly onCounts: (facets: Facets | null) => void;
  private asked: string | null = null;
  private asking = new AbortController();

  /** @param onCounts told of null while others are on their way */
  constructor(onCounts: (facets: Facets | null) => void) {
    this.onCounts = onCounts;
  }

  /** Asks, unless the last question was the same. */
  ask(service: Service, state: ExploreState, area: Area | null): void {
    const query = facetsQuery(state, area);
    const asked = JSON.stringify([service.base, query]);
    if (asked === this.asked) return;
    this.asked = asked;
    this.onCounts(null);
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        const { read } = await service.list(query, signal);
        if (!signal.aborted) this.onCounts(read.facets ?? {});
      } catch {
        // The search tells what is wrong; chips serve without numbers.
        if (!signal.aborted) this.asked = null;
      }
    }, SETTLE);
  }
}
