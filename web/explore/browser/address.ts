/**
 * The state of the page in its address, after `#`, where no server and no log sees it. What can be
 * asked of the service is named as the service names it, so the part reads like a query of its own.
 *
 * Whatever is not understood is left out: addresses are typed, cut and passed on.
 */

import type { Language, Verticale } from '../../../src/model/enumerations.ts';
import {
  CHANGES,
  type Change,
  clampRadius,
  type ExploreState,
  FIRST_STATE,
  type MapView,
  OPENING_MODES,
  type OpeningMode,
  type SearchPosition,
  type Vocabulary,
} from './state.ts';

const ID = /^[0-9a-f]{24}$/i;

/** The text after `#` for a state; empty for the first one. */
export function writeAddress(state: ExploreState): string {
  const { position, verticales, verticaleFilter, view } = state;
  const parts: (readonly [string, string])[] = [];
  if (position) {
    parts.push(['position.latitude', String(position.latitude)]);
    parts.push(['position.longitude', String(position.longitude)]);
    parts.push(['position.radius', String(position.radius)]);
  }
  if (verticales.length > 0) parts.push([`verticale.${verticaleFilter}`, verticales.join(',')]);
  if (state.lang) parts.push(['lang', state.lang]);
  if (state.sort) parts.push(['sort', state.sort]);
  if (state.fields.length > 0) parts.push(['fields', state.fields.join(',')]);
  if (state.opening !== 'ignore') parts.push(['opening', state.opening]);
  if (state.at !== null) parts.push(['at', new Date(state.at).toISOString()]);
  const changes = state.changes.join(',');
  if (changes !== FIRST_STATE.changes.join(',')) parts.push(['changes', changes]);
  if (!state.onlyInView) parts.push(['list', 'all']);
  if (state.store) parts.push(['store', state.store]);
  if (view) parts.push(['map', `${view.zoom},${view.latitude},${view.longitude}`]);
  return parts.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&');
}

/** The state that an address means. @param text with or without `#` */
export function readAddress(text: string, vocabulary: Vocabulary): ExploreState {
  const query = new URLSearchParams(text.replace(/^#/, ''));
  const list = (name: string) => (query.get(name) ?? '').split(',');
  const known = <Word extends string>(name: string, words: readonly string[]) =>
    words.filter((word) => list(name).includes(word)) as Word[];
  const unwanted = known<Verticale>('verticale.notIn', vocabulary.verticales);
  const wanted = known<Verticale>('verticale.in', vocabulary.verticales);
  const [lang = null] = known<Language>('lang', vocabulary.languages);
  const [opening = 'ignore'] = known<OpeningMode>('opening', OPENING_MODES);
  const position = readPosition(query);
  return {
    position,
    verticales: wanted.length > 0 ? wanted : unwanted,
    verticaleFilter: wanted.length === 0 && unwanted.length > 0 ? 'notIn' : 'in',
    lang,
    sort: readSort(query.get('sort'), vocabulary, position !== null),
    fields: known('fields', vocabulary.fieldPaths),
    opening,
    at: readInstant(query.get('at')),
    store: ID.test(query.get('store') ?? '') ? (query.get('store') ?? '').toLowerCase() : null,
    view: readView(query.get('map')),
    onlyInView: query.get('list') !== 'all',
    changes: query.has('changes') ? known<Change>('changes', CHANGES) : FIRST_STATE.changes,
  };
}

/** As short as an address may be: commas and colons need no escape there. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function readPosition(query: URLSearchParams): SearchPosition | null {
  const latitude = readNumber(query.get('position.latitude'), 90);
  const longitude = readNumber(query.get('position.longitude'), 180);
  const radius = readNumber(query.get('position.radius'), Number.POSITIVE_INFINITY);
  if (latitude === null || longitude === null || radius === null) return null;
  return { latitude, longitude, radius: clampRadius(radius) };
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

/** A field that needs a position is no order without one. */
function readSort(
  text: string | null,
  { sortFields }: Vocabulary,
  hasPosition: boolean,
): string | null {
  const [, field, direction] = /^([A-Za-z.]+?)(__asc|__desc)?$/.exec(text ?? '') ?? [];
  if (!field || !sortFields.includes(field)) return null;
  if (field === 'distance' && !hasPosition) return null;
  return field + (direction ?? '__asc');
}

function readInstant(text: string | null): number | null {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? null : instant;
}

/** A number no further from zero than `most`, or null. */
function readNumber(text: string | null | undefined, most: number): number | null {
  if (!text || !/^-?\d+(\.\d+)?$/.test(text)) return null;
  const number = Number(text);
  return Math.abs(number) <= most ? number : null;
}
