/** The longest of the closed sets of words, without schemas, which the help of commands does not wait for. */

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
