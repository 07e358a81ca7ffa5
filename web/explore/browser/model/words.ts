/** The contract's words as people say them. Nothing here needs a browser. */
import type { Language, Verticale } from '../../../../src/model/enumerations.ts';

/** What stores rent. */
export const VERTICALE_NAMES: Readonly<Record<Verticale, string>> = {
  BIKE: 'Bikes',
  ELECTRIC_BIKE: 'E-bikes',
  MOPED: 'Mopeds',
  MOTORCYCLE: 'Motorcycles',
  CAR: 'Cars',
  SCOOTER: 'Scooters',
  SKI: 'Skis',
  CLIMBING: 'Climbing gear',
  SNOWSHOES: 'Snowshoes',
  SURF: 'Surfboards',
  PADDLE: 'Paddleboards',
  CANOE_KAYAK: 'Canoes, kayaks',
  BOAT: 'Boats',
  EVENT: 'Event gear',
  MOTOCULTURE: 'Garden machines',
  TOOLING: 'Tools',
};

export const VERTICALES = Object.keys(VERTICALE_NAMES) as readonly Verticale[];

/** Languages of texts, as people call them here. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  fr: 'French',
  en: 'English',
  nl: 'Dutch',
  de: 'German',
  it: 'Italian',
  pt: 'Portuguese',
  es: 'Spanish',
  pl: 'Polish',
};

export const LANGUAGES = Object.keys(LANGUAGE_NAMES) as readonly Language[];

/** Returns the first language of a reader that stores may have; without any, each store has its own. */
export function languageOf(wanted: readonly string[]): Language | undefined {
  for (const tag of wanted) {
    const known = LANGUAGES.find((language) => language === tag.toLowerCase().split('-')[0]);
    if (known) return known;
  }
  return undefined;
}

/** Says what a store rents, in few words. */
export function describeVerticales(verticales: readonly Verticale[], most: number): string {
  const names = verticales.slice(0, most).map((verticale) => VERTICALE_NAMES[verticale]);
  const left = verticales.length - names.length;
  if (names.length === 0) return 'Rentals';
  return names.join(' · ') + (left > 0 ? ` · ${left} more` : '');
}

export function describeDistance(kilometres: number | null): string {
  if (kilometres === null) return '';
  if (kilometres < 1) return `${Math.round(kilometres * 1000)} m`;
  return `${kilometres < 100 ? kilometres.toFixed(1) : count(Math.round(kilometres))} km`;
}

export const count = (number: number): string => number.toLocaleString('en');

/** Writes `1 review`, `2 reviews`. */
export const counted = (number: number, thing: string): string =>
  `${count(number)} ${thing}${number === 1 ? '' : 's'}`;
