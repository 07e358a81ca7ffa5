/** Areas of the map, and the one that it begins with: most of the stores, not the whole world for three. */
import { distance } from 'geokdbush';
import type { Area, Position } from '../../../../client/src/query.ts';
import type { Point } from './found.ts';
import { type MapView, roundDegrees } from './state.ts';

/** Pixels around the globe at zoom 0, as MapLibre counts. */
const WORLD_WIDTH = 512;

/** The share of stores by which it is checked whether the farthest ones are far from the others, too. */
const STEP = 1 / 20;

/** How far the view goes on beyond them, as a part of its size, and the least in degrees. */
const MARGIN = 0.12;
const MIN_MARGIN = 0.02;

/** Kilometres in a degree of latitude, as the service measures: a metre less, so that areas are not too small. */
export const KILOMETRES_A_DEGREE = 111.19;

/**
 * Returns a box around this part of the stores: the nearest to the middle, without stores that are more than
 * twice as far away as nearly all of them are; null where there are none.
 */
export function firstView(points: readonly Point[], part: number): Area | null {
  if (points.length === 0) return null;
  const middleLng = median(points.map(({ lng }) => lng));
  const middleLat = median(points.map(({ lat }) => lat));
  const away = ({ lng, lat }: Point) => distance(middleLng, middleLat, lng, lat);
  const distances = points.map(away).sort((a, b) => a - b);
  const within = (share: number) => distances[Math.ceil(points.length * share) - 1] as number;
  const reach = Math.min(within(part), 2 * within(part - STEP));
  return widened(boxAround(points.filter((point) => away(point) <= reach)));
}

/** Returns a box around all within so many kilometres of a point. Longitudes may go on beyond 180. */
export function areaAround({ latitude, longitude }: Position, kilometres: number): Area {
  const high = kilometres / KILOMETRES_A_DEGREE;
  const farthest = Math.min(90, Math.abs(latitude) + high);
  const wide = Math.min(180, high / Math.cos((farthest * Math.PI) / 180));
  const [south, north] = [Math.max(-90, latitude - high), Math.min(90, latitude + high)];
  return [longitude - wide, south, longitude + wide, north];
}

/** Returns the area that two areas have in common, or null. */
export function overlap(one: Area, other: Area): Area | null {
  const [west, south] = [Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  const [east, north] = [Math.min(one[2], other[2]), Math.min(one[3], other[3])];
  return west < east && south < north ? [west, south, east, north] : null;
}

export function boxAround(points: readonly Point[]): Area {
  const [lngs, lats] = [points.map(({ lng }) => lng), points.map(({ lat }) => lat)];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

/**
 * Returns the area that a map of this size shows: stores of an address are asked for before the map is drawn.
 * @param size of the map in pixels
 */
export function areaOfView(
  { zoom, latitude, longitude }: MapView,
  size: { readonly clientWidth: number; readonly clientHeight: number },
): Area {
  const pixels = WORLD_WIDTH * 2 ** zoom;
  const half = (size.clientWidth / pixels) * 180;
  // Latitudes as Mercator stretches them, in radians.
  const middle = Math.asinh(Math.tan((latitude * Math.PI) / 180));
  const reach = (size.clientHeight / pixels) * Math.PI;
  const latitudeAt = (y: number) => (Math.atan(Math.sinh(y)) * 180) / Math.PI;
  const edges = [
    longitude - half,
    latitudeAt(middle - reach),
    longitude + half,
    latitudeAt(middle + reach),
  ];
  return edges.map(roundDegrees) as unknown as Area;
}

/** Returns whether a point lies in an area, in any turn of the globe. */
export function isInside([west, south, east, north]: Area, { lat, lng }: Point): boolean {
  if (lat < south || lat > north) return false;
  const turns = Math.ceil((west - lng) / 360);
  return lng + turns * 360 <= east;
}

/** Returns whether one area has all of another; null has everything. */
export function covers(area: Area | null, other: Area | null): boolean {
  if (area === null) return true;
  if (other === null) return false;
  const [west, south, east, north] = other;
  const isNarrower = east - west <= area[2] - area[0];
  const hasStart = isInside(area, { lat: south, lng: west });
  return isNarrower && hasStart && isInside(area, { lat: north, lng: east });
}

function widened([west, south, east, north]: Area): Area {
  const wide = Math.max(MIN_MARGIN, (east - west) * MARGIN);
  const high = Math.max(MIN_MARGIN, (north - south) * MARGIN);
  return [
    Math.max(-180, west - wide),
    Math.max(-85, south - high),
    Math.min(180, east + wide),
    Math.min(85, north + high),
  ];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] as number;
}
