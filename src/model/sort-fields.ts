/** The fields a list can be sorted by. A deprecated twin sorts by the column of its replacement. */

/** Sortable field names as partners write them, in the order they are listed in errors and docs. */
export const SORT_FIELDS = {
  id: 'id',
  slug: 'slug',
  'profile.name': 'name',
  'localization.default': 'defaultLanguage',
  'temporal.timezone': 'timezone',
  'pricing.currency.isoCode': 'currency',
  'metadata.timestamps.createdAt': 'createdAt',
  'reviews.external.rating': 'rating',
  'reviews.external.total': 'reviews',
  name: 'name',
  'currency.isoName': 'currency',
  externalRating: 'rating',
  externalReviewsNb: 'reviews',
  distance: 'distance',
  deliveryPrice: 'deliveryPrice',
} as const;

export type SortField = keyof typeof SORT_FIELDS;

/** What stores are sorted by; `relevance`: how well they fit the condition that orders the list. */
export type SortColumn = (typeof SORT_FIELDS)[SortField] | 'relevance';

/** Columns that have no part in the index: ordinals follow ids, the others belong to a request. */
const UNRANKED = ['id', 'distance', 'deliveryPrice', 'relevance'] as const;

/** Columns with a precomputed part in the index. */
export type RankedColumn = Exclude<SortColumn, (typeof UNRANKED)[number]>;

export function isRanked(column: SortColumn): column is RankedColumn {
  return !(UNRANKED as readonly SortColumn[]).includes(column);
}
