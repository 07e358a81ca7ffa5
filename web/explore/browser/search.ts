/**
 * A search for stores. The list gives one page a request, so it is a walk by its links: the stores of
 * the first page are told of at once, the others as their number has doubled, up to `MOST_STORES`. Stores
 * beyond those are found by zooming in: 100,000 stores would use up a token's allowance for minutes.
 */
import type { Area } from '../../../client/src/query.ts';
import { join, type SnapshotChanges } from './comparison.ts';
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
  readonly isComplete: boolean;
}

/** @param onFound told as stores come in @throws what `Service.pages` throws */
export async function search(
  { service, before, changes, isWhole }: Source,
  state: ExploreState,
  area: Area | null,
  onFound: (found: Found) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = storesQuery(state, area);
  const most = isWhole ? Number.POSITIVE_INFINITY : MOST_STORES;
  // Those that are gone are in the earlier snapshot alone.
  const gone: FoundStore[] = [];
  for await (const { page } of before?.pages(query, signal) ?? []) {
    gone.push(...page.docs.map(foundStore));
  }
  const stores: FoundStore[] = [];
  let [first, told] = [null as Answer | null, 0];
  const tell = (total: number, answer: Answer, isComplete: boolean) => {
    told = stores.length;
    onFound({ total, stores: join(changes, stores, gone), answer, isComplete });
  };
  for await (const { page, answer } of service.pages(query, signal)) {
    first ??= answer;
    stores.push(...page.docs.map(foundStore));
    const isComplete = stores.length >= Math.min(page.total, most);
    if (isComplete || (!changes && stores.length >= 2 * told)) tell(page.total, first, isComplete);
    if (isComplete) return;
  }
  // Another release has fewer stores than the first page has counted.
  if (first) tell(stores.length, first, true);
}
