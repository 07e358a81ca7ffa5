/** Boxes of longitude and latitude that hold every point within a distance of a position. */

import { EARTH_RADIUS } from './great-circle.ts';
import type { PositionFilter } from './queries.ts';

/** In degrees, edges included. */
export interface SearchBox {
  readonly minLng: number;
  readonly minLat: number;
  readonly maxLng: number;
  readonly maxLat: number;
}

/** About 0.1 mm: makes up for rounding, exact distances decide afterwards. */
const MARGIN = 1e-9;
const DEGREES = 180 / Math.PI;

/**
 * One box, or two on either side of the antimeridian. Around a pole it is a cap of all longitudes.
 * The half-width in longitude is that of J. P. Matuschek, "Finding points within a distance of a
 * latitude/longitude using bounding coordinates": asin(sin(r) / cos(latitude)).
 */
export function searchBoxes({ latitude, longitude, radius }: PositionFilter): SearchBox[] {
  const angle = radius / EARTH_RADIUS;
  const minLat = latitude - angle * DEGREES - MARGIN;
  const maxLat = latitude + angle * DEGREES + MARGIN;
  const box = (minLng: number, maxLng: number) => ({ minLng, minLat, maxLng, maxLat });
  if (minLat <= -90 || maxLat >= 90) return [box(-180, 180)];
  const half = Math.asin(Math.sin(angle) / Math.cos(latitude / DEGREES)) * DEGREES + MARGIN;
  const west = longitude - half;
  const east = longitude + half;
  // The edge itself has two longitudes, so a box that touches it reaches to the other side.
  if (west <= -180) return [box(-180, east), box(west + 360, 180)];
  if (east >= 180) return [box(west, 180), box(-180, east - 360)];
  return [box(west, east)];
}
