/** Circles and distances on the globe, in degrees and kilometres. */
import { DistanceFrom, EARTH_RADIUS } from '../../../src/query/great-circle.ts';
import type { SearchPosition } from './state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

const RADIANS = Math.PI / 180;

/** East, where the handle of the radius is. */
const EAST = 90;

export function kilometresBetween(
  from: Pick<SearchPosition, 'latitude' | 'longitude'>,
  latitude: number,
  longitude: number,
): number {
  return new DistanceFrom(from.latitude, from.longitude).to(latitude, longitude);
}

/** The ring of a circle, closed, as GeoJSON has it. */
export function circleAround(position: SearchPosition): [number, number][] {
  return Array.from({ length: CORNERS + 1 }, (_, corner) =>
    pointAt(position, (corner * 360) / CORNERS),
  );
}

/** The point of the circle that is furthest east: `[longitude, latitude]`. */
export function easternmost(position: SearchPosition): [number, number] {
  return pointAt(position, EAST);
}

/** The point of the circle in a direction, in degrees from north. */
function pointAt(
  { latitude, longitude, radius }: SearchPosition,
  bearing: number,
): [number, number] {
  const angle = radius / EARTH_RADIUS;
  const start = latitude * RADIANS;
  const sine =
    Math.sin(start) * Math.cos(angle) +
    Math.cos(start) * Math.sin(angle) * Math.cos(bearing * RADIANS);
  const turn = Math.atan2(
    Math.sin(bearing * RADIANS) * Math.sin(angle) * Math.cos(start),
    Math.cos(angle) - Math.sin(start) * sine,
  );
  return [longitude + turn / RADIANS, Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS];
}
