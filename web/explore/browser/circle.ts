/** The circle that is searched, on the globe. */
import { EARTH_RADIUS } from '../../../src/query/great-circle.ts';
import type { Place } from './state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

const RADIANS = Math.PI / 180;

/** The ring of a circle, closed, as GeoJSON has it. */
export function circleAround({ latitude, longitude, radius }: Place): [number, number][] {
  const angle = radius / EARTH_RADIUS;
  const start = latitude * RADIANS;
  return Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const bearing = (corner * 2 * Math.PI) / CORNERS;
    const sine =
      Math.sin(start) * Math.cos(angle) + Math.cos(start) * Math.sin(angle) * Math.cos(bearing);
    const turn = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(start),
      Math.cos(angle) - Math.sin(start) * sine,
    );
    return [longitude + turn / RADIANS, Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS];
  });
}
