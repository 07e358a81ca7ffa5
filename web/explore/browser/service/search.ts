/**
 * A search for stores. The list gives one page a request, so it is a walk by its links: the stores of
 * the first page are told of at once, the others as their number has doubled, up to `MOST_STORES`. Stores
 * beyond those are found by zooming in: 100,000 stores would use up a token's allowance for minutes.
 */
import type { Area } from '../../../../client/src/query.ts';
import { type FoundStore, foundStore } from '../model/found-store.ts';
import { storesQuery } from '../model/question.ts';
import type { ExploreState } from '../model/state.ts';
import type { Answer, Service } from './service.ts';

/** Stores that are loaded from the service. */
const MOST_STORES = 5_000;

export interface Found {
  /** Stores that match, loaded or not. */
  readonly total: number;
  /** In the order of the answer. */
  readonly stores: readonly FoundStore[];
  /** The first answer. */
  readonly answer: Answer;
  readonly isComplete: boolean;
}

/** @param onFound told as stores come in @throws what `Service.pages` throws */
export async function search(
  service: Service,
  state: ExploreState,
  area: Area | null,
  onFound: (found: Found) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = storesQuery(state, area);
  const stores: FoundStore[] = [];
  let [first, told] = [null as Answer | null, 0];
  const tell = (total: number, answer: Answer, isComplete: boolean) => {
    told = stores.length;
    onFound({ total, stores: [...stores], answer, isComplete });
  };
  for await (const { page, answer } of service.pages(query, signal)) {
    first ??= answer;
    stores.push(...page.docs.map(foundStore));
    const isComplete = stores.length >= Math.min(page.total, MOST_STORES);
    if (isComplete || stores.length >= 2 * told) tell(page.total, first, isComplete);
    if (isComplete) return;
  }
  // Another release has fewer stores than the first page has counted.
  if (first) tell(stores.length, first, true);
}
