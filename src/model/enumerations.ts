/**
 * The longest closed sets of words in the contract, without schemas: the help of commands does not wait
 * for zod. `word-schemas.ts` has the schemas of all sets.
 */

/** Sectors of activity (CompanyVerticale). */
export const VERTICALES = [
  'BIKE',
  'ELECTRIC_BIKE',
  'MOPED',
  'MOTORCYCLE',
  'CAR',
  'SCOOTER',
  'SKI',
  'CLIMBING',
  'SNOWSHOES',
  'SURF',
  'PADDLE',
  'CANOE_KAYAK',
  'BOAT',
  'EVENT',
  'MOTOCULTURE',
  'TOOLING',
] as const;

/** Languages of localized content. The position of a word is its number in the snapshot. */
export const LANGUAGES = ['fr', 'en', 'nl', 'de', 'it', 'pt', 'es', 'pl'] as const;

export type Verticale = (typeof VERTICALES)[number];
export type Language = (typeof LANGUAGES)[number];

/** Returns whether `word` is one of the languages. */
export function isLanguage(word: string): word is Language {
  return (LANGUAGES as readonly string[]).includes(word);
}

/** What lists count stores by, in the order in which answers have them, as partners read it. */
export const FACET_DESCRIPTIONS = {
  verticales: 'How many stores have each verticale.',
  languages: 'How many stores have each language in `localization.available`.',
  countries:
    'How many stores have their main location, if it is shown, in each country. A country that stores write in several ways is counted once, as most stores write it.',
} as const;

export type Facet = keyof typeof FACET_DESCRIPTIONS;

export const FACETS = Object.keys(FACET_DESCRIPTIONS) as readonly Facet[];
