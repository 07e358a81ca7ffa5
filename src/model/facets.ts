/** What lists count stores by, in the order in which answers have them, as partners read it. */
export const FACET_DESCRIPTIONS = {
  verticales: 'How many stores have each verticale.',
  languages: 'How many stores have each language in `localization.available`.',
  countries:
    'How many stores have their main location, if it is shown, in each country. A country that stores write in several ways is counted once, as most stores write it.',
} as const;

export type Facet = keyof typeof FACET_DESCRIPTIONS;

export const FACETS = Object.keys(FACET_DESCRIPTIONS) as readonly Facet[];
