/** What lists count stores by, in the order in which answers have them. */
export const FACETS = ['verticales', 'languages', 'countries'] as const;

export type Facet = (typeof FACETS)[number];
