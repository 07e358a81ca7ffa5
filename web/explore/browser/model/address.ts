/**
 * The state of the page in its address, after `#`, where no server and no log sees it. What can be
 * asked of the service is named as the service names it, so the part reads like a query of its own.
 *
 * What is not understood is left out: addresses are typed, cut and passed on.
 */
import { searchOf } from '../../../../client/src/search.ts';
import { LANGUAGES, VERTICALES } from '../../../../src/model/enumerations.ts';
import { foldWords } from '../../../../src/model/fold-text.ts';
import { filtersOf } from './found.ts';
import { clampRadius, type ExploreState, type MapView, ORDERS, type Place } from './state.ts';

const ID = /^[0-9a-f]{24}$/i;

/** Returns the part of an address for a state, with its `#`. */
export function addressOf(state: ExploreState): string {
  const { place, order, store, view } = state;
  const search = searchOf({
    ...filtersOf(state, null),
    place: place?.name ?? undefined,
    order: order ?? undefined,
    store: store ?? undefined,
    map: view ? [view.zoom, view.latitude, view.longitude] : undefined,
  });
  return `#${search}`;
}

/** Returns the state that an address means. @param text with or without `#` */
export function readAddress(text: string): ExploreState {
  const query = new URLSearchParams(text.replace(/^#/, ''));
  const list = (name: string) => (query.get(name) ?? '').split(',').filter((word) => word !== '');
  // In the order in which they were chosen: in another one it would be another question.
  const known = <Word extends string>(words: readonly Word[], given: readonly string[]) =>
    [...new Set(given)].flatMap((word) => words.find((each) => each === word) ?? []);
  const place = readPlace(query);
  const store = query.get('store') ?? '';
  return {
    place,
    words: place ? '' : (query.get('q') ?? '').trim().slice(0, 100),
    verticales: known(VERTICALES, list('verticale.in')),
    languages: known(LANGUAGES, list('language.in')),
    countries: list('country.in').filter((name) => foldWords(name) !== ''),
    isOpenNow: query.get('openAt') === 'now',
    order: known(ORDERS, list('order'))[0] ?? null,
    store: ID.test(store) ? store.toLowerCase() : null,
    view: readView(query.get('map') ?? ''),
  };
}

export const FIRST_STATE = readAddress('');

function readPlace(query: URLSearchParams): Place | null {
  const texts = ['latitude', 'longitude', 'radius'].map((name) => query.get(`position.${name}`));
  const numbers = readNumbers(texts, [90, 180, Number.POSITIVE_INFINITY]);
  if (!numbers) return null;
  const [latitude, longitude, radius] = numbers;
  return { latitude, longitude, radius: clampRadius(radius), name: query.get('place') || null };
}

function readView(text: string): MapView | null {
  const numbers = readNumbers(text.split(','), [24, 90, 180]);
  if (!numbers) return null;
  const [zoom, latitude, longitude] = numbers;
  return { zoom, latitude, longitude };
}

type Three = [number, number, number];

/** Returns numbers that are no further from zero than `most`, or null. */
function readNumbers(texts: readonly (string | null)[], most: Three): Three | null {
  const numbers = most.map((limit, index) => {
    const text = texts[index] ?? '';
    return /^-?\d+(\.\d+)?$/.test(text) && Math.abs(Number(text)) <= limit ? Number(text) : null;
  });
  return numbers.includes(null) ? null : (numbers as Three);
}
