/** Response stores as objects, made of source stores with the project's own derivation. */
import { distance } from 'geokdbush';
import {
  chooseLanguage,
  deriveStore,
  displayedLocations,
  mirrorFields,
  textIn,
} from '../../../scripts/compile/derive-store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Utm } from '../../../src/auth/token-record.ts';
import type { Language } from '../../../src/model/enumerations.ts';
import type { Point } from '../../../src/model/location.ts';
import type { Store } from '../../../src/model/store.ts';
import type { PlainQuery, Position } from './read-query.ts';

/** The location of a store that is nearest to a position. */
export interface Nearest {
  /** 0 is the main location. */
  readonly location: number;
  /** Kilometres, not rounded. */
  readonly distance: number;
  /** What is compared. */
  readonly millimetres: number;
}

/** Returns the store in the language that answers a request for `requested`, for its main location. */
export function describeStore(source: SourceStore, requested: Language | null): Store {
  return deriveStore(source, textIn(chooseLanguage(source, requested), source));
}

/** Returns `plain`, which describes `source`, as a request wants it. */
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

/** Returns `store` as a search by position shows it: for its nearest location, with the distance. */
function placeStore(store: Store, source: SourceStore, nearest: Nearest): Store {
  const metres = Math.round(nearest.distance * 1000);
  const rentalPoint = source.geo.rentalPoints[nearest.location - 1];
  if (!rentalPoint) return { ...store, distance: metres / 1000 };
  const { locations } = store.geo;
  const geo = { location: locations?.[nearest.location - 1] ?? null, locations };
  const { slug: rentalPointSlug } = rentalPoint;
  return { ...store, rentalPointSlug, geo, ...mirrorFields(rentalPoint), distance: metres / 1000 };
}

/** Returns `store` with the parameters of a partner in its page URL. */
function attributeStore(store: Store, utm: Utm): Store {
  const url = new URL(store.pageUrl);
  for (const [name, value] of Object.entries(utm)) url.searchParams.set(name, value ?? '');
  return { ...store, pageUrl: url.href };
}

/** Returns the fields of `value` that dotted `paths` name. */
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

/** Returns the nearest location of a store if it lies within the radius, else null. */
export function findNearest(source: SourceStore, position: Position): Nearest | null {
  let nearest: Nearest | null = null;
  for (const [location, { point }] of displayedLocations(source).entries()) {
    const other = measure(position, location, point);
    if (!nearest || other.millimetres < nearest.millimetres) nearest = other;
  }
  return nearest && isWithin(position, nearest) ? nearest : null;
}

export function measure(position: Position, location: number, { lat, lng }: Point): Nearest {
  const kilometres = distance(position.longitude, position.latitude, lng, lat);
  return { location, distance: kilometres, millimetres: inMillimetres(kilometres) };
}

export function isWithin({ radius }: Position, { millimetres }: Nearest): boolean {
  return millimetres <= inMillimetres(radius);
}

function inMillimetres(kilometres: number): number {
  return Math.round(kilometres * 1e6);
}
