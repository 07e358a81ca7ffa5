/** The closed sets of words in the contract, for the types and schemas of all other modules. */
import { z } from 'zod';

/** Sectors of activity (CompanyVerticale). The position of a word is its bit in a verticale mask. */
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

export const verticaleSchema = z.enum(VERTICALES).meta({ id: 'CompanyVerticale' });
export const languageSchema = z.enum(LANGUAGES).meta({ id: 'Language' });

export const FREE_DELIVERY_TYPES = ['MINUTES', 'SUBTOTAL'] as const;
export const PAYMENT_PROVIDERS = ['PROVIDER_A'] as const;
export const INSURANCE_PROVIDERS = ['PROVIDER_B'] as const;
export const INSURANCE_STATUSES = [
  'off',
  'on_inclusion_hidden',
  'on_inclusion',
  'on_option',
  'with_assurance',
] as const;
export const DROPOFF_RULES = ['SAME', 'DIFFERENT'] as const;
export const REFUND_TYPES = ['PERCENTAGE', 'AMOUNT'] as const;
export const OPENING_DAYS = ['0', '1', '2', '3', '4', '5', '6', '*'] as const;
export const TAX_TYPES = ['INCLUSIVE', 'EXCLUSIVE'] as const;
export const DISCOUNT_DATES = ['CREATED_DATE', 'START_DATE'] as const;
export const DISCOUNT_TYPES = ['AMOUNT', 'PERCENTAGE'] as const;

export type Verticale = z.infer<typeof verticaleSchema>;
export type Language = z.infer<typeof languageSchema>;

/** Whether `word` is one of the eight languages. */
export function isLanguage(word: string): word is Language {
  return (LANGUAGES as readonly string[]).includes(word);
}

/** The mask of `verticales`. */
export function verticaleMask(verticales: Iterable<Verticale>): number {
  let mask = 0;
  for (const verticale of verticales) mask |= 1 << VERTICALES.indexOf(verticale);
  return mask;
}
