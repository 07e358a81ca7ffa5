/** The stores within a radius of a position, each with its nearest location. */
import type { PlaceTable } from '../snapshot/place-table.ts';
import { FoundStores } from './found-stores.ts';
import {
  DistanceFrom,
  EARTH_RADIUS,
  ESTIMATE_DOUBT,
  ESTIMATE_FLOOR,
  estimateAt,
} from './great-circle.ts';

/** Degrees and kilometres, already within the limits of the contract. */
interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

/** Tells of a store, by its ordinal, whether it passes. */
export type StoreTest = (store: number) => boolean;

/** Places that are estimated in one go. */
const BLOCK = 512;
const estimates = new Float64Array(BLOCK);

/** Room for the finds of a search, kept for the next one: a town has thousands of them. */
const rooms = new WeakMap<PlaceTable, FoundStores>();

/**
 * Looks at every place of the tree that is near enough. geokdbush's `around` orders its results in a
 * queue of objects; as `total` needs every store within the radius anyway, one pass with a sort of
 * the page afterwards costs a fraction of that.
 *
 * The next search of the table takes the result over, so it has to be used without waiting.
 *
 * @param accepts whether a store passes the other conditions; null if there are none
 */
export function findWithin(
  table: PlaceTable,
  position: Circle,
  accepts: StoreTest | null,
): FoundStores {
  const from = new DistanceFrom(position.latitude, position.longitude);
  const found = rooms.get(table) ?? new FoundStores(table);
  rooms.set(table, found);
  found.begin(from);
  const { store, tree } = table;
  const rim = estimateAt(position.radius);
  const inside = rim * (1 - ESTIMATE_DOUBT);
  const outside = rim * (1 + ESTIMATE_DOUBT) + ESTIMATE_FLOOR;
  const runs = runsWithin(table, searchBoxes(position));
  for (let run = 0; run < runs.length; run += 2) {
    const last = runs[run + 1] as number;
    for (let first = runs[run] as number; first <= last; first += BLOCK) {
      const count = Math.min(BLOCK, last - first + 1);
      from.estimate(tree.coords, first, count, estimates);
      for (let index = 0; index < count; index++) {
        const near = estimates[index] as number;
        if (near > outside) continue;
        const place = first + index;
        if (near >= inside && found.measure(place) > position.radius) continue;
        if (!accepts || accepts(store[place] as number)) found.take(place, near);
      }
    }
  }
  return found;
}

/**
 * Runs of places, first and last in turn, that hold every place within one of `boxes` and some
 * others. The tree keeps near places together, so a run is read as memory likes it; kdbush's own
 * `range` makes a list of single places, of which a town has thousands.
 */
export function runsWithin({ tree }: PlaceTable, boxes: readonly Area[]): number[] {
  const { coords, nodeSize, numItems } = tree;
  const runs: number[] = [];
  const add = (first: number, last: number) => {
    const end = runs.length - 1;
    if (runs[end] === first - 1) runs[end] = last;
    else runs.push(first, last);
  };
  /** Descends as kdbush laid the tree out: the middle splits by longitude, then by latitude… */
  const collect = (box: Area, first: number, last: number, byLatitude: boolean) => {
    if (last - first <= nodeSize) {
      if (first <= last) add(first, last);
      return;
    }
    const middle = (first + last) >> 1;
    const split = coords[2 * middle + (byLatitude ? 1 : 0)] as number;
    const reachesDown = (byLatitude ? box.south : box.west) <= split;
    const reachesUp = (byLatitude ? box.north : box.east) >= split;
    if (reachesDown) collect(box, first, middle - 1, !byLatitude);
    if (reachesDown && reachesUp) add(middle, middle);
    if (reachesUp) collect(box, middle + 1, last, !byLatitude);
  };
  for (const box of boxes) collect(box, 0, numItems - 1, false);
  return runs;
}

/** Between two meridians and two parallels, edges included. Degrees. */
export interface Area {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** About 0.1 mm: makes up for rounding, exact distances decide afterwards. */
const MARGIN = 1e-9;
const DEGREES = 180 / Math.PI;

/**
 * One box, or two on either side of the antimeridian. Around a pole it is a cap of all longitudes.
 * The half-width in longitude is that of J. P. Matuschek, "Finding points within a distance of a
 * latitude/longitude using bounding coordinates": asin(sin(r) / cos(latitude)).
 */
export function searchBoxes({ latitude, longitude, radius }: Circle): Area[] {
  const angle = radius / EARTH_RADIUS;
  const south = latitude - angle * DEGREES - MARGIN;
  const north = latitude + angle * DEGREES + MARGIN;
  const box = (west: number, east: number) => ({ west, south, east, north });
  if (south <= -90 || north >= 90) return [box(-180, 180)];
  const half = Math.asin(Math.sin(angle) / Math.cos(latitude / DEGREES)) * DEGREES + MARGIN;
  const west = longitude - half;
  const east = longitude + half;
  // The edge itself has two longitudes, so a box that touches it reaches to the other side.
  if (west <= -180) return [box(-180, east), box(west + 360, 180)];
  if (east >= 180) return [box(west, 180), box(-180, east - 360)];
  return [box(west, east)];
}
