/** What the page shows on the map, as GeoJSON: stores, rental points, and the circle that is searched. */
import type { Feature } from 'geojson';
import { KILOMETRES_A_DEGREE } from '../model/area.ts';
import type { FoundStore, Point } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Place } from '../model/state.ts';

/** Corners of the polygon that stands for a circle. */
const CORNERS = 96;

/** Makes the pin of each store that has a point: `picture` is what one rents there. */
export const pinsOf = (stores: readonly FoundStore[]): Feature[] =>
  stores.flatMap(({ id, point, verticales }) =>
    point ? [{ ...pointFeature(point), properties: { id, picture: iconOf(verticales) } }] : [],
  );

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
