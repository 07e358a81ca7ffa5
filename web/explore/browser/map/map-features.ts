/** GeoJSON of what lies on the map: stores, and the circle that is searched. */
import type { Feature } from 'geojson';
import type { FoundStore } from '../model/found-store.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Place } from '../model/state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

const RADIANS = Math.PI / 180;

/** Kilometres: the one that the service measures with. */
const EARTH_RADIUS = 6371;

/** The map ends here. */
const LAST_LATITUDE = 85.06;

/** A store, where it has a point. */
export function pinOf({ id, point, verticales }: FoundStore): Feature[] {
  if (!point) return [];
  const properties = { id, kind: iconOf(verticales) };
  const coordinates = [point.lng, point.lat];
  return [{ type: 'Feature', properties, geometry: { type: 'Point', coordinates } }];
}

/** The edge of the circle that is searched, and all of the world outside of it. */
export function circleFeatures(place: Place): Feature[] {
  const ring = circleAround(place);
  // Of the map that goes once around the globe.
  const [west, east] = [place.longitude - 180, place.longitude + 180];
  const world = [
    [west, -LAST_LATITUDE],
    [east, -LAST_LATITUDE],
    [east, LAST_LATITUDE],
    [west, LAST_LATITUDE],
    [west, -LAST_LATITUDE],
  ];
  const outside = { type: 'Polygon' as const, coordinates: [world, ring] };
  const edge = { type: 'LineString' as const, coordinates: ring };
  return [outside, edge].map((geometry) => ({ type: 'Feature', properties: {}, geometry }));
}

/** The ring of a circle on the globe, closed. */
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
