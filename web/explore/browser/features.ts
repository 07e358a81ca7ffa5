/** GeoJSON of what the map shows. */
import type { Feature, FeatureCollection, Point as GeoPoint, Position } from 'geojson';
import type { Point } from './found-store.ts';

/** The map ends here. */
const LAST_LATITUDE = 85.06;

export function collection(features: readonly Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features: [...features] };
}

export function pointFeature<Properties>(
  { lat, lng }: Point,
  properties: Properties,
): Feature<GeoPoint, Properties> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

export function lineFeature(coordinates: Position[]): Feature {
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}

/** All of the world but a ring; its middle is that of the map that goes once around the globe. */
export function outsideFeature(ring: readonly Position[], middle: Point): Feature {
  const [west, east] = [middle.lng - 180, middle.lng + 180];
  const world = [
    [west, -LAST_LATITUDE],
    [east, -LAST_LATITUDE],
    [east, LAST_LATITUDE],
    [west, LAST_LATITUDE],
    [west, -LAST_LATITUDE],
  ];
  const geometry = { type: 'Polygon' as const, coordinates: [world, [...ring]] };
  return { type: 'Feature', properties: {}, geometry };
}
