/** The contract's words, and what is found, asked and refused, as people say it. Nothing here needs a browser. */
import { ConnectionError, ProblemError } from '../../../../client/src/errors.ts';
import { isLanguage, type Language, type Verticale } from '../../../../src/model/enumerations.ts';
import type { Found, Point } from './found.ts';
import { type ExploreState, hasFilters } from './state.ts';

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

const IN_ENGLISH = new Intl.DisplayNames('en', { type: 'language' });

export const languageName = (language: string): string => IN_ENGLISH.of(language) ?? language;

/** Returns the first language of a reader that stores may have; without any, each store has its own. */
export const languageOf = (tags: readonly string[]): Language | undefined =>
  tags.map((tag) => tag.toLowerCase().replace(/-.*/, '')).find(isLanguage);

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

/** Says how many stores are at a point. */
export const countHere = (number: number): string => `${counted(number, 'store')} here`;

/** Says how many stores there are. @param listed how many of them the list has */
export function describeFound(found: Found, listed: number, state: ExploreState): string {
  const { total, stores: loaded, isComplete, isBeyond } = found;
  if (isBeyond) return describeBeyond(found, state);
  if (!isComplete) return `Loading ${count(loaded.length)} of ${counted(total, 'store')} …`;
  if (loaded.length < total)
    return `${count(loaded.length)} of ${counted(total, 'store')}: zoom in`;
  const where = describeQuestion(state);
  if (where === '') return counted(listed, 'store');
  if (listed === total) return `${counted(listed, 'store')} ${where}`;
  return `${count(listed)} of ${counted(total, 'store')} ${where} in view`;
}

function describeBeyond({ stores: [first], total }: Found, state: ExploreState): string {
  const are = total === 1 ? 'is' : 'are';
  const away = Math.max(1, Math.round(first?.distance ?? 0));
  return `${describeNone(state)}. The nearest ${are} ${count(away)} km away.`;
}

/** Says that nothing was found, by the name of what was searched. */
export function describeNone(state: ExploreState): string {
  const [kind, ...others] = state.verticales;
  const isKindAlone = kind && others.length === 0;
  const what = isKindAlone ? VERTICALE_NAMES[kind].toLowerCase() : 'stores';
  const hasOthers = hasFilters(isKindAlone ? { ...state, verticales: [] } : state);
  const passing = hasOthers ? ' that pass all filters' : '';
  return `No ${what}${passing} ${describeQuestion(state) || 'here'}`;
}

/** Says where stores are searched, after their number; empty: in the area of the map. */
function describeQuestion({ place, words }: ExploreState): string {
  if (words !== '') return `that match “${words}”`;
  if (!place) return '';
  const { name, latitude, longitude, radius } = place;
  return `within ${radius} km of ${name ?? `${latitude}, ${longitude}`}`;
}

/** Says why there is no answer, as a shopper wants to know it. */
export function describeFailure(error: unknown): string {
  if (error instanceof ProblemError) {
    const { status, title, detail, errors } = error;
    if (status === 429) return 'Too many searches at once.';
    if (status >= 500) return 'The stores cannot be looked up just now.';
    if (status === 404) return 'This store is not listed any more.';
    const what = status === 400 ? 'This search does not work.' : `${title}:`;
    return [what, detail, ...errors.map((fault) => fault.detail)].join(' ');
  }
  const isLate = error instanceof ConnectionError && error.message.startsWith('No answer within');
  return isLate
    ? 'The stores take long to answer.'
    : 'The stores cannot be reached. Check your connection.';
}

/** Returns the address of directions. @param device the browser's `navigator.userAgent` */
export function directionsTo({ lat, lng }: Point, name: string, device: string): string {
  // The app that the user has chosen opens these. No browser of a desk has one.
  if (/Android/.test(device))
    return `geo:${lat},${lng}?q=${lat},${lng}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad|Macintosh/.test(device)) return `https://maps.apple.com/?daddr=${lat},${lng}`;
  return `https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`;
}
