/**
 * A search for stores. The list gives one page a request, so it is a walk by its links: the stores of
 * the first page are shown at once, the others as their number has doubled, up to `MAX_STORES`. Further
 * stores are found by zooming in: 100,000 stores would use up a token's allowance for minutes.
 */
import { distance } from 'geokdbush';
import type { Area } from '../../../../client/src/query.ts';
import { areaAround } from '../model/area.ts';
import {
  type ExploreQuery,
  type Found,
  type FoundStore,
  foundStore,
  questionOf,
  storesQuery,
} from '../model/found.ts';
import type { Job } from '../model/latest.ts';
import type { ExploreState, Place } from '../model/state.ts';
import type { Service } from './service.ts';

/** Stores that are loaded from the service. */
const MAX_STORES = 5_000;

/** Nearest stores: while there are fewer, a larger area is searched. */
const MIN_NEAREST = 3;

/**
 * Kilometres from a place within which the nearest stores are searched, one after the other, where the service
 * finds none: it takes no radius beyond 50. Each area is nine times the last one, so the first area with stores
 * seldom has more than a request or two of them. The last one is the globe.
 */
const REACHES = [60, 180, 540, 1_620, Number.POSITIVE_INFINITY];

/**
 * Searches.
 * @param onFound called as stores come in
 * @param lineFree resolves once more than the first page may be asked for
 * @throws what `Service.pages` throws
 */
export async function search(
  service: Service,
  state: ExploreState,
  area: Area | null,
  onFound: (found: Found) => void,
  lineFree: Promise<void>,
  job: Job,
): Promise<void> {
  let told = 0;
  const question = questionOf(state);
  for await (const found of walk(service, question, storesQuery(state, area), job)) {
    if (state.place && found.total === 0) {
      onFound(await searchBeyond(service, state, state.place, found, job));
      return;
    }
    if (!found.isComplete && found.stores.length < 2 * told) continue;
    told = found.stores.length;
    onFound({ ...found, stores: [...found.stores] });
    await lineFree;
  }
}

/** Looks for the nearest stores in areas that grow. @param none what was found within the radius */
async function searchBeyond(
  service: Service,
  state: ExploreState,
  place: Place,
  none: Found,
  job: Job,
): Promise<Found> {
  const { latitude, longitude, radius } = place;
  let nearest = none;
  for (const reach of REACHES.filter((each) => each > radius)) {
    const area = Number.isFinite(reach) ? areaAround(place, reach) : null;
    let found = none;
    const query = storesQuery({ ...state, place: null }, area);
    for await (const next of walk(service, none.question, query, job)) found = next;
    const stores = found.stores
      .flatMap((store): FoundStore[] => {
        const { point } = store;
        if (!point) return [];
        return [{ ...store, distance: distance(longitude, latitude, point.lng, point.lat) }];
      })
      // Beyond that, in the corners of the area, others may be nearer that lie outside of it.
      .filter((store) => (store.distance ?? 0) <= reach)
      .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0));
    nearest = { ...found, stores, total: stores.length, isBeyond: true };
    if (stores.length >= MIN_NEAREST) break;
  }
  return nearest.stores.length > 0 ? nearest : none;
}

/**
 * Yields what was found so far, after each page. Where a page comes from another release, it begins again: once, for
 * after a publication locations may answer from either for a while.
 */
async function* walk(
  service: Service,
  question: string,
  query: ExploreQuery,
  job: Job,
  isAgain = false,
): AsyncGenerator<Found> {
  const stores: FoundStore[] = [];
  let first: string | null = null;
  for await (const { release, total, docs } of service.pages(query, job)) {
    first ??= release;
    if (release !== first && !isAgain) {
      yield* walk(service, question, query, job, true);
      return;
    }
    stores.push(...docs.map(foundStore));
    const isComplete = stores.length >= Math.min(total, MAX_STORES);
    yield { question, total, stores, isComplete, isBeyond: false };
    if (isComplete) return;
  }
  // Another release has fewer stores than the first page has counted.
  const total = stores.length;
  yield { question, total, stores, isComplete: true, isBeyond: false };
}
