/** GeoJSON of what lies on the map: stores, and the circle that is searched. */
import type { Feature } from 'geojson';
import type { FoundStore, Point } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Place } from '../model/state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

/** Kilometres in a degree of latitude, as the service measures. */
const KILOMETRES_A_DEGREE = 111.195;

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

/** Makes the edge of the circle that is searched; so small on the globe, it is an ellipse in degrees. */
export function circleFeature({ latitude, longitude, radius }: Place): Feature {
  const high = radius / KILOMETRES_A_DEGREE;
  const wide = high / Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
  const coordinates = Array.from({ length: CORNERS + 1 }, (_, corner) => {
    const turn = (corner * 2 * Math.PI) / CORNERS;
    return [longitude + wide * Math.sin(turn), latitude + high * Math.cos(turn)];
  });
  return { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } };
}

/** Returns the point of a feature that is one. */
export function pointOf({ geometry }: Feature): Point {
  const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : [];
  return { lat, lng };
}
