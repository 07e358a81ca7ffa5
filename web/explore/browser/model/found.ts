/** What a state asks of the service, and what it has answered, as the page keeps it. */
import type { Page } from '../../../../client/src/answers.ts';
import type { FieldPath, SelectedStore } from '../../../../client/src/fields.ts';
import type { Area, WalkQuery } from '../../../../client/src/query.ts';
import type { Call } from './client-code.ts';
import type { ExploreState, Order } from './state.ts';

/** What each row of the list and each pin of the map is made of. */
const ROW_FIELDS = [
  'id',
  'slug',
  'rentalPointSlug',
  'profile.name',
  'profile.verticales',
  'geo.location.point',
  'geo.location.components.city',
  'reviews.external.rating',
  'reviews.external.total',
  'temporal.timezone',
  'opening',
] as const satisfies readonly FieldPath[];

/** Any query, with fields as a program may choose them. */
export type ExploreQuery = WalkQuery<readonly FieldPath[]>;

/** Returns which stores are asked for. @param area null: without a place and words, all of them */
export function filtersOf(state: ExploreState, area: Area | null): ExploreQuery {
  const { place, words, verticales, languages, countries } = state;
  return {
    position: place
      ? { latitude: place.latitude, longitude: place.longitude, radius: place.radius }
      : undefined,
    q: words || undefined,
    bbox: place || words ? undefined : (area ?? undefined),
    verticale: among(verticales),
    language: among(languages),
    country: among(countries),
    openAt: state.isOpenNow ? 'now' : undefined,
  };
}

/** Asks for any of these words; nothing where there are none. */
const among = <Word>(words: readonly Word[]) => (words.length > 0 ? { in: words } : undefined);

/** Returns the query for the stores themselves, with few fields: there may be thousands. */
export function storesQuery(state: ExploreState, area: Area | null): ExploreQuery {
  const fields: FieldPath[] = [...ROW_FIELDS, ...(state.place ? (['distance'] as const) : [])];
  return { ...filtersOf(state, area), at: 'now', fields, limit: 100 };
}

/** Returns what a state asks, without the area of the map: its answer is right for all states that ask the same. */
export const questionOf = (state: ExploreState): string => JSON.stringify(storesQuery(state, null));

/** The numbers of the filters: how many stores each value would leave. */
export type Facets = NonNullable<Page<unknown>['facets']>;

/** A request, and what the page shows of its answer. */
export interface Answer {
  /** What a program calls for it. */
  readonly call: Call;
  readonly url: string;
  /** 0 when no answer has come. */
  readonly status: number;
  /** The answer; or why none has come. */
  readonly text: string;
  /** Milliseconds from asking to having all of it. */
  readonly time: number;
}

export interface Found {
  /** What was asked, without the area of the map. */
  readonly question: string;
  /** Stores that match, loaded or not. */
  readonly total: number;
  /** In the order of the answer. */
  readonly stores: readonly FoundStore[];
  readonly isComplete: boolean;
  /** Whether no store lies in the radius that was asked for, and these are the nearest beyond it. */
  readonly isBeyond: boolean;
}

/** What a page of the list has of a store. */
export type ListedStore = SelectedStore<typeof ROW_FIELDS> & {
  readonly distance?: number | undefined;
};

export type Point = NonNullable<ListedStore['geo']['location']>['point'];

export type FoundStore = Readonly<ReturnType<typeof foundStore>>;

export function foundStore(listed: ListedStore) {
  const { id, slug, profile, geo, reviews, temporal, opening } = listed;
  const { rating = 0, total: votes = 0 } = reviews.external ?? {};
  return {
    /** In lower case, as the page's address has it; the service takes ids in any case. */
    id: id.toLowerCase(),
    name: profile.name.trim() || slug,
    verticales: profile.verticales,
    city: geo.location?.components.city || null,
    /** Null when the store hides its address. */
    point: geo.location?.point ?? null,
    /** Kilometres from the place of the search. */
    distance: listed.distance ?? null,
    /** Out of 5, by so many reviews; null when there are none. */
    rating: votes > 0 ? { rating, votes } : null,
    /** Whether it is open, and when that changes. */
    opening: opening ? { ...opening, timezone: temporal.timezone } : null,
    /** Set when the point belongs to a rental point, not to the store itself. */
    rentalPointSlug: listed.rentalPointSlug,
  };
}

/** Votes of the mean store that are added to each store's own, so that two votes do not beat ninety-six. */
const ADDED_VOTES = 10;

const NAMES = new Intl.Collator('en', { numeric: true });

/**
 * Returns the stores in an order; in `nearest` and `fit` the service has answered. Ratings compare as Bayesian
 * means (https://en.wikipedia.org/wiki/Bayesian_average): (votes × rating + ADDED_VOTES × mean rating of all)
 * ÷ (votes + ADDED_VOTES). Stores without a rating come last.
 */
export function ordered(stores: readonly FoundStore[], order: Order): readonly FoundStore[] {
  if (order === 'name') return stores.toSorted((a, b) => NAMES.compare(a.name, b.name));
  if (order !== 'rating') return stores;
  const ratings = stores.flatMap(({ rating }) => rating ?? []);
  const mean = ratings.reduce((sum, { rating }) => sum + rating, 0) / ratings.length;
  const damped = ({ rating }: FoundStore) =>
    rating ? (rating.rating * rating.votes + mean * ADDED_VOTES) / (rating.votes + ADDED_VOTES) : 0;
  return stores.toSorted((a, b) => damped(b) - damped(a));
}
