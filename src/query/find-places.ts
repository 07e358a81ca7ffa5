/** Finds stores by their locations: around a point, in an area, or where they deliver. */
import { around, distance } from 'geokdbush';
import type { DeliveryTable, Town } from '../snapshot/delivery-table.ts';
import { inMillimetres, type PlaceTable } from '../snapshot/place-table.ts';
import type { KeptStores } from './queries.ts';
import type { Scratch } from './scratch.ts';

/** Degrees. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

interface Circle extends Point {
  /** Kilometres. */
  readonly radius: number;
}

/** Between two meridians and two parallels, edges included. Degrees. */
export interface Area {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Kilometres along a meridian. */
const HALF_GLOBE = 6371 * Math.PI;
const MILLIMETRES_A_DEGREE = inMillimetres(HALF_GLOBE) / 180;

/** Kilometres. Rounding to whole millimetres takes away up to half of it. */
const ONE_MILLIMETRE = 1e-6;

/** Finds the stores with a location in a circle, each with its nearest location. */
export function findAround(places: PlaceTable, circle: Circle, scratch: Scratch): KeptStores {
  const { latitude, longitude, radius } = circle;
  const { found, measure, ...columns } = nearestLocations(places, circle, radius, scratch);
  const reach = radius + ONE_MILLIMETRE;
  for (const id of around(places.tree, longitude, latitude, Infinity, reach)) measure(id);
  return { ...keptStores(found, columns.locations), ...columns };
}

/**
 * Finds the stores that deliver to a point, each with its nearest location and its price. Ranges may
 * reach around the globe, farther than `around` searches: so this is one pass over all locations. A
 * location that lies farther north or south than the ranges of its store reach is not measured.
 */
export function findDelivering(
  places: PlaceTable,
  deliveries: DeliveryTable,
  point: Point,
  town: Town,
  scratch: Scratch,
): KeptStores {
  const { stores, storeCount } = places;
  const { found, measure, ...columns } = nearestLocations(places, point, Infinity, scratch);
  const { coords } = places.tree;
  for (let id = 0; id < stores.length; id++) {
    const north = Math.abs((coords[2 * id + 1] as number) - point.latitude);
    if (north * MILLIMETRES_A_DEGREE - 1 <= deliveries.reachOf(stores[id] as number)) measure(id);
  }
  const { locations, millimetres } = columns;
  const prices = scratch.prices.room(storeCount);
  const priceOf = deliveries.pricesIn(town);
  const delivering = found.filter((store) => {
    const price = priceOf(store, millimetres[store] as number);
    if (price === null) locations[store] = 0;
    else prices[store] = price;
    return price !== null;
  });
  return { ...keptStores(delivering, locations), ...columns, prices };
}

/**
 * Returns a function that takes locations by their ids, and what it notes: the nearest location of each
 * store within `radius` kilometres, the first of equally near ones. Distances compare in whole
 * millimetres: at the poles and at ±180° geokdbush sees some nanometres where there are none.
 */
function nearestLocations(
  { tree, stores, locationIndexes, storeCount }: PlaceTable,
  { latitude, longitude }: Point,
  radius: number,
  scratch: Scratch,
) {
  const locations = scratch.locations.zeros(storeCount);
  const millimetres = scratch.millimetres.room(storeCount);
  const kilometres = scratch.kilometres.room(storeCount);
  const found: number[] = [];
  const limit = inMillimetres(radius);
  const measure = (id: number) => {
    const [lng, lat] = [tree.coords[2 * id] as number, tree.coords[2 * id + 1] as number];
    const measured = distance(longitude, latitude, lng, lat);
    // Rounding takes the distance of opposite points beyond half the globe: geokdbush returns NaN there.
    const away = Number.isNaN(measured) ? HALF_GLOBE : measured;
    const rounded = inMillimetres(away);
    if (rounded > limit) return;
    const store = stores[id] as number;
    const location = 1 + (locationIndexes[id] as number);
    const known = locations[store] as number;
    const best = millimetres[store] as number;
    if (known === 0) found.push(store);
    else if (rounded > best || (rounded === best && location > known)) return;
    locations[store] = location;
    millimetres[store] = rounded;
    kilometres[store] = away;
  };
  return { measure, found, locations, millimetres, kilometres };
}

/** Finds the stores with a location in an area, each with its first location there. */
export function findInside(
  { tree, stores, locationIndexes, storeCount }: PlaceTable,
  area: Area,
  scratch: Scratch,
): KeptStores {
  const locations = scratch.locations.zeros(storeCount);
  const found: number[] = [];
  for (const { west, south, east, north } of boxesOf(area)) {
    for (const id of tree.range(west, south, east, north)) {
      const store = stores[id] as number;
      const location = 1 + (locationIndexes[id] as number);
      const known = locations[store] as number;
      if (known === 0) found.push(store);
      if (known === 0 || location < known) locations[store] = location;
    }
  }
  return keptStores(found, locations);
}

/** Returns the stores that were found. @param locations by store, 0 for the others */
function keptStores(found: readonly number[], locations: Uint16Array): KeptStores {
  const test = (store: number) => locations[store] !== 0;
  return { test, stores: Uint32Array.from(found).sort(), locations };
}

/**
 * Returns boxes that together cover an area, which crosses the antimeridian where west lies above
 * east. The meridian of 180° has two longitudes: a location there lies on both sides.
 */
function boxesOf(area: Area): Area[] {
  const box = (west: number, east: number) => ({ ...area, west, east });
  const { west, east } = area;
  const sides = west <= east ? [area] : [box(west, 180), box(-180, east)];
  if (sides.some((side) => side.east === 180)) sides.push(box(-180, -180));
  if (sides.some((side) => side.west === -180)) sides.push(box(180, 180));
  return sides;
}
