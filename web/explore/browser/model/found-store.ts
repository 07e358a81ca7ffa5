/** A store as the list and the map show it. */
import type { SelectedStore } from '../../../../client/src/fields.ts';
import type { ROW_FIELDS } from './question.ts';
import type { Order } from './state.ts';

/** What a page of the list has of a store. */
export type ListedStore = SelectedStore<typeof ROW_FIELDS> & {
  readonly distance?: number | undefined;
};

export type Point = NonNullable<ListedStore['geo']['location']>['point'];

export type FoundStore = Readonly<ReturnType<typeof foundStore>>;

export function foundStore(listed: ListedStore) {
  const { id, slug, profile, geo, reviews } = listed;
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
    /** Set when the point belongs to a rental point, not to the store itself. */
    rentalPointSlug: listed.rentalPointSlug,
  };
}

export type Rating = NonNullable<FoundStore['rating']>;

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
