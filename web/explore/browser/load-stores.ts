/**
 * Loads what a search finds, a hundred stores at a time.
 *
 * The public list gives at most 100 stores a request, and a token some hundred requests a minute. So
 * the page asks for the first hundred with everything that the user chose, which brings the total,
 * and for the others with the few fields that a row and a mark need, six requests at once: 2,500
 * stores are 25 requests. It stops at `most` stores, in the order of the search, and more come when
 * the user asks for them: 100,000 stores would use up a token's allowance for minutes.
 */
import { type FoundStore, foundStore } from './found-store.ts';
import { listQuery, PAGE_SIZE } from './request.ts';
import type { Answer, Service } from './service.ts';
import type { ExploreState } from './state.ts';

/** Requests under way at once: what a browser has connections for. */
const IN_FLIGHT = 6;

/** Starts of one search: again where the release changed under it. */
const MOST_STARTS = 3;

export interface Found {
  /** Stores that match, loaded or not. */
  readonly total: number;
  /** In the order of the search, as far as they are loaded without a gap. */
  readonly stores: readonly FoundStore[];
  /** The first answer, with the fields that the user chose. */
  readonly answer: Answer;
  readonly release: string;
  readonly isComplete: boolean;
}

export interface LoadOptions {
  readonly signal: AbortSignal;
  /** Stores to load at the most. */
  readonly most: number;
  /** Told whenever there is more to show. */
  readonly onFound: (found: Found) => void;
}

/** @throws what `Service.list` throws */
export async function loadStores(
  service: Service,
  state: ExploreState,
  options: LoadOptions,
): Promise<Found> {
  for (let start = 1; ; start++) {
    const found = await loadOnce(service, state, options);
    // Pages of two releases do not fit together. When every start has met a new release, the first
    // page is all there is.
    if (found || start === MOST_STARTS) return found ?? loadPage(service, state, options);
  }
}

/** Everything, or null when the release has changed meanwhile. */
async function loadOnce(
  service: Service,
  state: ExploreState,
  { signal, most, onFound }: LoadOptions,
): Promise<Found | null> {
  const page = await loadPage(service, state, { signal });
  const wanted = Math.min(page.total, most);
  if (page.stores.length >= wanted) return page;
  const first = { ...page, isComplete: false };
  onFound(first);
  const pages: (readonly FoundStore[] | undefined)[] = [first.stores];
  const pageCount = Math.ceil(wanted / PAGE_SIZE);
  let next = 1;
  let isStale = false;
  const stores = [...first.stores];
  let joined = 1;
  const work = async () => {
    while (next < pageCount && !isStale) {
      const number = next++;
      const query = listQuery(state, { skip: number * PAGE_SIZE, isShown: false });
      const { read } = await service.list(query, signal);
      isStale ||= read.release !== first.release;
      pages[number] = read.docs.map(foundStore);
      const before = joined;
      while (pages[joined]) stores.push(...(pages[joined++] ?? []));
      if (joined > before && !isStale && joined < pageCount) {
        onFound({ ...first, stores: [...stores], isComplete: false });
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
  return isStale ? null : { ...first, stores, isComplete: true };
}

async function loadPage(
  service: Service,
  state: ExploreState,
  { signal }: Pick<LoadOptions, 'signal'>,
): Promise<Found> {
  const { read, answer } = await service.list(listQuery(state, { skip: 0, isShown: true }), signal);
  const { total, docs, release } = read;
  return { total, stores: docs.map(foundStore), answer, release, isComplete: true };
}
