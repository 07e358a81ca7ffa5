/** GeoJSON of what the map shows. */
import type { Feature, FeatureCollection, Point as GeoPoint } from 'geojson';
import type { Point } from './found-store.ts';

export function collection(features: readonly Feature[]): FeatureCollection {
  return { type: 'FeatureCollection', features: [...features] };
}

export function pointFeature<Properties>(
  { lat, lng }: Point,
  properties: Properties,
): Feature<GeoPoint, Properties> {
  return { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, lat] } };
}

export function lineFeature(from: Point, to: Point): Feature {
  const coordinates = [from, to].map(({ lat, lng }) => [lng, lat]);
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}

export function polygonFeature(ring: readonly [number, number][]): Feature {
  return {
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [[...ring]] },
  };
}
