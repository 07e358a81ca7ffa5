/**
 * The state of the page in its address, after `#`, where no server and no log sees it. What can be
 * asked of the service is named as the service names it, so the part reads like a query of its own.
 *
 * Whatever is not understood is left out: addresses are typed, cut and passed on.
 */
import {
  CHANGES,
  clampRadius,
  type ExploreState,
  FIRST_STATE,
  type MapView,
  ORDERS,
  type Place,
} from './state.ts';
import { LANGUAGES, VERTICALES } from './words.ts';

const ID = /^[0-9a-f]{24}$/i;

/** The text after `#` for a state; empty for the first one. */
export function writeAddress(state: ExploreState): string {
  const { place, view } = state;
  const changes = state.changes.join(',');
  const parts: (readonly [string, string | number | null | undefined])[] = [
    ['position.latitude', place?.latitude],
    ['position.longitude', place?.longitude],
    ['position.radius', place?.radius],
    ['place', place?.name],
    ['q', state.words || null],
    ['verticale.in', state.verticales.join(',') || null],
    ['language.in', state.languages.join(',') || null],
    ['country.in', state.countries.join(',') || null],
    ['openAt', state.isOpenNow ? 'now' : null],
    ['order', state.order],
    ['changes', changes === FIRST_STATE.changes.join(',') ? null : changes],
    ['store', state.store],
    ['map', view && `${view.zoom},${view.latitude},${view.longitude}`],
  ];
  return parts
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${encodeValue(String(value))}`)
    .join('&');
}

/** The part of an address for a state, with its `#`. */
export function addressOf(state: ExploreState): string {
  return `#${writeAddress(state)}`;
}

/** The state that an address means. @param text with or without `#` */
export function readAddress(text: string): ExploreState {
  const query = new URLSearchParams(text.replace(/^#/, ''));
  const list = (name: string) => (query.get(name) ?? '').split(',').filter((word) => word !== '');
  const known = <Word extends string>(name: string, words: readonly Word[]) =>
    words.filter((word) => list(name).includes(word));
  const place = readPlace(query);
  const store = query.get('store') ?? '';
  return {
    place,
    words: place ? '' : (query.get('q') ?? '').trim().slice(0, 100),
    verticales: known('verticale.in', VERTICALES),
    languages: known('language.in', LANGUAGES),
    countries: list('country.in'),
    isOpenNow: query.get('openAt') === 'now',
    order: known('order', ORDERS)[0] ?? null,
    changes: query.has('changes') ? known('changes', CHANGES) : FIRST_STATE.changes,
    store: ID.test(store) ? store.toLowerCase() : null,
    view: readView(query.get('map')),
  };
}

/** As short as an address may be: commas and colons need no escape there. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function readPlace(query: URLSearchParams): Place | null {
  const latitude = readNumber(query.get('position.latitude'), 90);
  const longitude = readNumber(query.get('position.longitude'), 180);
  const radius = readNumber(query.get('position.radius'), Number.POSITIVE_INFINITY);
  if (latitude === null || longitude === null || radius === null) return null;
  return { latitude, longitude, radius: clampRadius(radius), name: query.get('place') || null };
}

function readView(text: string | null): MapView | null {
  const [zoom, latitude, longitude] = (text ?? '').split(',');
  const view = {
    zoom: readNumber(zoom, 24),
    latitude: readNumber(latitude, 90),
    longitude: readNumber(longitude, 180),
  };
  return Object.values(view).includes(null) ? null : (view as MapView);
}

/** A number no further from zero than `most`, or null. */
function readNumber(text: string | null | undefined, most: number): number | null {
  if (!text || !/^-?\d+(\.\d+)?$/.test(text)) return null;
  const number = Number(text);
  return Math.abs(number) <= most ? number : null;
}
