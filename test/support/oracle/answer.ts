/**
 * The whole service as plain loops over source stores: what a request has to answer, worked out
 * in the slowest and plainest way. Shares nothing with the engine but the types of the model.
 */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { VERTICALES } from '../../../src/model/enumerations.ts';
import type { Point } from '../../../src/model/location.ts';
import { FACETS, type TermField } from '../../../src/model/term-fields.ts';
import { nearestLocation } from './distance.ts';
import { HoursOracle } from './hours.ts';
import { type Entry, inOrder } from './order.ts';
import type { GetParams, ListParams } from './parameters.ts';
import { projectStore } from './projection.ts';
import { describeStore, type Viewpoint } from './store-answer.ts';
import { passesTerms, TERMS } from './terms.ts';
import { search } from './words.ts';

const DEFAULT_LIMIT = 100;

export interface ListAnswer {
  readonly total: number;
  readonly docs: readonly object[];
  readonly facets?: object;
}

/** One store of an answer: all of its fields where none are named. */
export type ShowStore = (
  store: SourceStore,
  view: Viewpoint,
  fields: readonly string[] | undefined,
) => object;

export const showStore: ShowStore = (store, view, fields) =>
  projectStore(describeStore(store, view), fields);

/**
 * The body of `GET /v2/external/stores`.
 * @param show may remember what it has shown before
 */
export function answerList(
  stores: readonly SourceStore[],
  params: ListParams,
  show = showStore,
): ListAnswer {
  const entries = inOrder(matching(stores, params), params.sort, params.lang);
  const { after } = params;
  const skip =
    after === undefined
      ? (params.skip ?? 0)
      : entries.filter(({ store }) => store.id.toLowerCase() <= after.toLowerCase()).length;
  const page = entries.slice(skip, skip + (params.limit ?? DEFAULT_LIMIT));
  const { lang, utm, fields } = params;
  const docs = page.map(({ store, locationIndex, distance }) =>
    show(store, { lang, locationIndex, distance, utm }, fields),
  );
  return { total: entries.length, docs, ...(params.facets && { facets: count(stores, params) }) };
}

/** The numbers of each facet that is asked for, without what is asked of the facet itself. */
function count(stores: readonly SourceStore[], params: ListParams): object {
  const { verticaleIn: _, verticaleEquals: __, ...anyVerticale } = params;
  const numbers = FACETS.filter((facet) => params.facets?.includes(facet)).map((facet) => {
    const { [facet as TermField]: ___, ...terms } = params.terms ?? {};
    const [wordsOf, others, words] =
      facet === 'verticales'
        ? [
            ({ profile }: SourceStore): readonly string[] => profile.verticales,
            anyVerticale,
            VERTICALES,
          ]
        : [TERMS[facet].wordsOf, { ...params, terms }, TERMS[facet].first];
    const found = matching(stores, others).map(({ store }) => wordsOf(store));
    const inOrder = new Set<string>([...words, ...found.flat().sort()]);
    const counts = [...inOrder].map((word) => {
      return [word, found.filter((each) => each.includes(word)).length] as const;
    });
    return [facet, Object.fromEntries(counts.filter(([, number]) => number > 0))];
  });
  return Object.fromEntries(numbers);
}

/** The body of `GET /v2/external/stores/{id}`; null for a store or rental point that is unknown. */
export function answerStore(
  stores: readonly SourceStore[],
  idOrSlug: string,
  params: GetParams,
): object | null {
  const store = findStore(stores, idOrSlug);
  if (store === null) return null;
  const locationIndex = locationOf(store, params.rentalPointSlug);
  if (locationIndex === null) return null;
  const { lang, utm, fields } = params;
  return showStore(store, { lang, locationIndex, distance: undefined, utm }, fields);
}

/** The store of this id, in any case, or of exactly this slug. */
export function findStore(stores: readonly SourceStore[], idOrSlug: string): SourceStore | null {
  for (const store of stores) {
    if (store.id.toLowerCase() === idOrSlug.toLowerCase() || store.slug === idOrSlug) return store;
  }
  return null;
}

function locationOf(store: SourceStore, rentalPointSlug: string | undefined): number | null {
  if (rentalPointSlug === undefined) return 0;
  if (!store.geo.displayAddress) return null;
  const index = store.geo.rentalPoints.findIndex(({ slug }) => slug === rentalPointSlug);
  return index < 0 ? null : index + 1;
}

function matching(stores: readonly SourceStore[], params: ListParams): Entry[] {
  const entries: Entry[] = [];
  const found = params.q === undefined ? null : search(stores, params.q).found;
  for (const store of found?.keys() ?? stores) {
    const relevance = found?.get(store);
    if (!isNamed(store, params) || !passesVerticales(store, params)) continue;
    if (!passesTerms(store, params.terms ?? {})) continue;
    if (params.openAt !== undefined && !hoursOf(store).isOpen(params.openAt)) continue;
    if (params.bbox) {
      const { rentalPoints, main, displayAddress } = store.geo;
      const locations = displayAddress ? [main, ...rentalPoints] : [];
      const inside = locations.findIndex(({ point }) => liesWithin(point, params.bbox as Bbox));
      if (inside >= 0)
        entries.push({ store, locationIndex: inside, distance: undefined, relevance });
      continue;
    }
    if (params.position === undefined) {
      entries.push({ store, locationIndex: 0, distance: undefined, relevance });
      continue;
    }
    const nearest = nearestLocation(store, params.position);
    if (nearest !== null) {
      const { index, distance } = nearest;
      entries.push({ store, locationIndex: index, distance, relevance });
    }
  }
  return entries;
}

const hours = new WeakMap<SourceStore, HoursOracle>();

/** To make one takes longer than to ask it. */
function hoursOf(store: SourceStore): HoursOracle {
  const known = hours.get(store) ?? new HoursOracle(store.temporal, 0);
  hours.set(store, known);
  return known;
}

function isNamed({ id }: SourceStore, { idIn }: ListParams): boolean {
  return idIn === undefined || idIn.some((one) => one.toLowerCase() === id.toLowerCase());
}

type Bbox = NonNullable<ListParams['bbox']>;

function liesWithin({ lat, lng }: Point, [west, south, east, north]: Bbox): boolean {
  const longitudes = Math.abs(lng) === 180 ? [180, -180] : [lng];
  const isBetween = (each: number) =>
    west > east ? each >= west || each <= east : west <= each && each <= east;
  return south <= lat && lat <= north && longitudes.some(isBetween);
}

function passesVerticales({ profile }: SourceStore, params: ListParams): boolean {
  const { verticaleIn, verticaleNotIn, verticaleEquals, verticaleNotEquals } = params;
  const has = profile.verticales;
  if (verticaleIn && !verticaleIn.some((verticale) => has.includes(verticale))) return false;
  if (verticaleNotIn?.some((verticale) => has.includes(verticale))) return false;
  if (verticaleEquals && !has.includes(verticaleEquals)) return false;
  if (verticaleNotEquals && has.includes(verticaleNotEquals)) return false;
  return true;
}
