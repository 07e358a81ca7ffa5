/** Finds stores by their locations: around a point, or in an area. */
import { around, distance } from 'geokdbush';
import type { PlaceTable } from '../snapshot/place-table.ts';
import type { KeptStores } from './conditions/condition.ts';
import type { Scratch } from './scratch.ts';

/** Degrees and kilometres. */
export interface Circle {
  readonly latitude: number;
  readonly longitude: number;
  readonly radius: number;
}

/** Between two meridians and two parallels, edges included. Degrees. */
export interface Area {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

const MILLIMETRES_PER_KILOMETRE = 1e6;

/**
 * Finds the stores with a location in a circle, each with its nearest location, or with the first
 * of equally near ones. Distances compare in whole millimetres: at the poles and at ±180° geokdbush
 * sees some nanometres where there are none.
 */
export function findAround(
  { tree, stores, locationIndexes, storeCount }: PlaceTable,
  { latitude, longitude, radius }: Circle,
  scratch: Scratch,
): FoundStores & Pick<Required<KeptStores>, 'millimetres' | 'kilometres'> {
  const locations = scratch.locations.zeros(storeCount);
  const millimetres = scratch.millimetres.room(storeCount);
  const kilometres = scratch.kilometres.room(storeCount);
  const found: number[] = [];
  const limit = Math.round(radius * MILLIMETRES_PER_KILOMETRE);
  // What rounding lets in lies up to half a millimetre outside of the circle.
  const reach = radius + 1 / MILLIMETRES_PER_KILOMETRE;
  for (const id of around(tree, longitude, latitude, Infinity, reach)) {
    const [lng, lat] = [tree.coords[2 * id] as number, tree.coords[2 * id + 1] as number];
    const away = distance(longitude, latitude, lng, lat);
    const rounded = Math.round(away * MILLIMETRES_PER_KILOMETRE);
    if (rounded > limit) continue;
    const store = stores[id] as number;
    const location = 1 + (locationIndexes[id] as number);
    const known = locations[store] as number;
    const best = millimetres[store] as number;
    if (known === 0) found.push(store);
    else if (rounded > best || (rounded === best && location > known)) continue;
    locations[store] = location;
    millimetres[store] = rounded;
    kilometres[store] = away;
  }
  return { ...foundStores(found, locations), millimetres, kilometres };
}

/** Finds the stores with a location in an area, each with its first location there. */
export function findInside(
  { tree, stores, locationIndexes, storeCount }: PlaceTable,
  area: Area,
  scratch: Scratch,
): FoundStores {
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
  return foundStores(found, locations);
}

type FoundStores = Pick<Required<KeptStores>, 'test' | 'stores' | 'locations'>;

/** @param locations by store, 0 for those that were not found */
function foundStores(found: readonly number[], locations: Uint16Array): FoundStores {
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
