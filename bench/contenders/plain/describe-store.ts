/** Response stores as objects, made of source stores with the project's own derivation. */
import {
  chooseLanguage,
  languageFields,
  mirrorFields,
  neutralFields,
  responseLocation,
} from '../../../scripts/compile/derive-store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import type { Store } from '../../../src/model/store.ts';
import type { Utm } from '../../../src/model/utm.ts';
import type { PlainQuery, Position } from './read-query.ts';

/** Mean Earth radius in km, the service's. */
const EARTH_RADIUS = 6371;

/** The location of a store that is nearest to a position. */
export interface Nearest {
  /** 0 is the main location. */
  readonly location: number;
  /** Kilometres, not rounded. */
  readonly distance: number;
}

/** The store in the language that answers a request for `requested`, for its main location. */
export function describeStore(source: SourceStore, requested: Language | null): Store {
  const current = chooseLanguage(source, requested);
  return {
    ...neutralFields(source),
    ...languageFields(source, current),
    ...locationFields(source, current, 0),
  };
}

/** `plain`, which describes `source`, as a request wants it. */
export function showStore(
  plain: Store,
  source: SourceStore,
  nearest: Nearest | null,
  utm: Utm | null,
  fields: PlainQuery['fields'],
): unknown {
  const placed = nearest ? placeStore(plain, source, nearest) : plain;
  const store = utm ? attributeStore(placed, utm) : placed;
  return fields ? pickFields(store, fields) : store;
}

/** `store` as a search by position shows it: for its nearest location, with the distance. */
function placeStore(store: Store, source: SourceStore, { location, distance }: Nearest): Store {
  const current = store.localization.current;
  const placed =
    location === 0 ? store : { ...store, ...locationFields(source, current, location) };
  return { ...placed, distance: Math.round(distance * 1000) / 1000 };
}

/** `store` with the parameters of a partner in its page URL. */
function attributeStore(store: Store, utm: Utm): Store {
  const url = new URL(store.pageUrl);
  for (const [name, value] of Object.entries(utm)) url.searchParams.set(name, value ?? '');
  return { ...store, pageUrl: url.href };
}

/** The fields of `value` that dotted `paths` name. */
function pickFields(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((element) => pickFields(element, paths));
  if (typeof value !== 'object' || value === null) return value;
  const picked: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (paths.includes(key)) picked[key] = member;
    else {
      const below = paths.filter((path) => path.startsWith(`${key}.`));
      if (below.length === 0) continue;
      const inner = below.map((path) => path.slice(key.length + 1));
      picked[key] = pickFields(member, inner);
    }
  }
  return picked;
}

/** The nearest location of a store if it lies within the radius, else null. */
export function findNearest(source: SourceStore, position: Position): Nearest | null {
  if (!source.geo.displayAddress) return null;
  let nearest: Nearest | null = null;
  const locations = [source.geo.main, ...source.geo.rentalPoints];
  for (const [location, { point }] of locations.entries()) {
    const { latitude, longitude } = position;
    const distance = greatCircleDistance(latitude, longitude, point.lat, point.lng);
    if (!nearest || distance < nearest.distance) nearest = { location, distance };
  }
  return nearest && nearest.distance <= position.radius ? nearest : null;
}

function locationFields(source: SourceStore, current: Language, number: number) {
  const { displayAddress, main, rentalPoints } = source.geo;
  if (!displayAddress) return { geo: { location: null, locations: null }, ...mirrorFields(null) };
  const queried = [main, ...rentalPoints][number] ?? main;
  const answer = (location: typeof main) =>
    responseLocation(location, current, source.localization.default);
  return {
    ...(number > 0 ? { rentalPointSlug: queried.slug } : {}),
    geo: {
      location: answer(queried),
      locations: rentalPoints.length > 0 ? rentalPoints.map(answer) : null,
    },
    ...mirrorFields(queried),
  };
}

/** Kilometres between two points in degrees, by the haversine formula. */
export function greatCircleDistance(
  latitude: number,
  longitude: number,
  otherLatitude: number,
  otherLongitude: number,
): number {
  const squares =
    haversine(latitude - otherLatitude) +
    Math.cos(radians(latitude)) *
      Math.cos(radians(otherLatitude)) *
      haversine(longitude - otherLongitude);
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(Math.min(1, squares)));
}

function haversine(degrees: number): number {
  return Math.sin(radians(degrees) / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
