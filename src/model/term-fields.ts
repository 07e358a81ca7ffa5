/**
 * What stores are filtered, counted and searched by that is a list of words: each of these has an index
 * part, which tells the stores of each word. `scripts/compile/store-terms.ts` says which words a store
 * has.
 */
export const TERM_FIELDS = ['languages', 'countries'] as const;

export type TermField = (typeof TERM_FIELDS)[number];

/** What lists count stores by, in the order in which answers have them. */
export const FACETS = ['verticales', ...TERM_FIELDS] as const;

export type Facet = (typeof FACETS)[number];

/** Others: what `q` searches, the folded words of names and those of towns and postcodes; time zones. */
export const INDEXED_FIELDS = ['nameWords', 'placeWords', 'timezones'] as const;

export type IndexedField = (typeof INDEXED_FIELDS)[number];
