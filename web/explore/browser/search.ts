/**
 * A search for stores. The list gives one page a request, so it is a walk by its links: the stores of
 * the first page are told of at once, the others as their number has doubled, up to `MOST_STORES`. Stores
 * beyond those are found by zooming in: 100,000 stores would use up a token's allowance for minutes.
 */
import type { Area } from '../../../client/src/query.ts';
import { join, type SnapshotChanges } from './comparison.ts';
import { type FoundStore, foundStore } from './found-store.ts';
import { type Question, storesQuery } from './question.ts';
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
  if (before) for await (const { added } of walk(before, query, most, signal)) gone.push(...added);
  let stores: readonly FoundStore[] = [];
  let told = 0;
  for await (const { added, total, answer, isComplete } of walk(service, query, most, signal)) {
    stores = [...stores, ...added];
    if (!isComplete && (changes || stores.length < 2 * told)) continue;
    told = stores.length;
    const compared = changes ? join(changes, stores, gone) : stores;
    onFound({ total, stores: compared, answer, isComplete });
  }
}

/** The stores of each page. @throws what `Service.pages` throws */
async function* walk(service: Service, query: Question, most: number, signal: AbortSignal) {
  let [count, first] = [0, null as Answer | null];
  for await (const { page, answer } of service.pages(query, signal)) {
    first ??= answer;
    count += page.docs.length;
    const { total } = page;
    const isComplete = count >= Math.min(total, most);
    yield { added: page.docs.map(foundStore), total, answer: first, isComplete };
    if (isComplete) return;
  }
  // Another release has fewer stores than the first page has counted.
  if (first) yield { added: [], total: count, answer: first, isComplete: true };
}
