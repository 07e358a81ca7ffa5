/** GeoJSON of what lies on the map: stores, and the circle that is searched. */
import type { Feature, Position } from 'geojson';
import type { FoundStore, Point } from '../model/found-store.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Place } from '../model/state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

const RADIANS = Math.PI / 180;

/** Kilometres: the one that the service measures with. */
const EARTH_RADIUS = 6371;

/** Groups stores by their points: the stores of one building together, without stores that have no point. */
export function groupByPoint(stores: readonly FoundStore[]): ReadonlyMap<string, FoundStore[]> {
  const groups = Map.groupBy(stores, ({ point }) => (point ? `${point.lng},${point.lat}` : ''));
  groups.delete('');
  return groups;
}

/** Makes one pin for all stores at a point: `picture` is what one rents, or how many there are. */
export function pinsOf(groups: ReadonlyMap<string, FoundStore[]>): Feature[] {
  return [...groups].flatMap(([group, stores]) => {
    const [first] = stores;
    if (!first?.point) return [];
    const stand = stores.length === 1 ? iconOf(first.verticales) : stores.length;
    const properties = { group, picture: String(stand), stores: stores.length };
    return [{ ...pointFeature(first.point), properties }];
  });
}

export const pointFeature = ({ lng, lat }: Point): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

/** Makes the edge of the circle that is searched. */
export const circleFeature = (place: Place): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'LineString', coordinates: circleAround(place) },
});

/** Returns the ring of a circle on the globe, closed. */
function circleAround({ latitude, longitude, radius }: Place): Position[] {
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

/** Returns the points of features, without their properties. */
export function pointsOf(features: readonly Feature[]): Point[] {
  return features.flatMap(({ geometry }) => {
    const positions =
      geometry.type === 'Point'
        ? [geometry.coordinates]
        : geometry.type === 'LineString'
          ? geometry.coordinates
          : [];
    return positions.map(([lng = 0, lat = 0]) => ({ lat, lng }));
  });
}
