/** Great-circle distances on a sphere, and the nearest location of a store. */

import type { Position } from '../../../client/src/index.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Point } from '../../../src/model/location.ts';

const EARTH_RADIUS_KM = 6371;

interface NearestLocation {
  /** 0 is the main location, 1 the first rental point, and so on. */
  readonly index: number;
  /** Kilometres, not rounded. */
  readonly distance: number;
  /** What is compared. */
  readonly millimetres: number;
}

/**
 * Haversine distance in km. Longitudes that differ by whole turns, and all longitudes of a pole,
 * are one place: the difference is brought within half a turn, and the cosine of a pole is zero.
 */
function kilometres(a: Point, b: Point): number {
  const direct = Math.abs(a.lng - b.lng);
  // Summed from the antimeridian, so that 180 and -180 are equally far to the last bit.
  const dLng = direct > 180 ? 180 - Math.abs(a.lng) + (180 - Math.abs(b.lng)) : direct;
  const h =
    halfChordSquared(a.lat - b.lat) + cosine(a.lat) * cosine(b.lat) * halfChordSquared(dLng);
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(Math.min(1, h)));
}

/** The location of `store` nearest to `position` if it lies within the radius, else null. */
export function nearestLocation(store: SourceStore, position: Position): NearestLocation | null {
  if (!store.geo.displayAddress) return null;
  const from = { lat: position.latitude, lng: position.longitude };
  const [nearest] = [store.geo.main, ...store.geo.rentalPoints]
    .map(({ point }, index): NearestLocation => {
      const distance = kilometres(from, point);
      return { index, distance, millimetres: Math.round(distance * 1e6) };
    })
    .sort((a, b) => a.millimetres - b.millimetres);
  return nearest && nearest.millimetres <= Math.round(position.radius * 1e6) ? nearest : null;
}

function halfChordSquared(degrees: number): number {
  const sine = Math.sin((degrees * Math.PI) / 180 / 2);
  return sine * sine;
}

function cosine(degrees: number): number {
  return Math.abs(degrees) === 90 ? 0 : Math.cos((degrees * Math.PI) / 180);
}
