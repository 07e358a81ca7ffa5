/** Where the stores of a release lie, as far as its index parts show it. */
import { DistanceFrom } from '../../src/query/great-circle.ts';
import type { ComparedStores } from '../../src/snapshot/compared-stores.ts';
import type { PlaceTable } from '../../src/snapshot/place-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';

/** What a release is compared by. */
export interface PlacedStores {
  readonly stores: ComparedStores;
  readonly points: MainPoints;
}

/** Where the main location of each store lies, by ordinal; not a number when it is hidden. */
export interface MainPoints {
  readonly lat: Float64Array;
  readonly lng: Float64Array;
}

/** @throws CommandError release_damaged */
export async function readPlacedStores(reader: ReleaseReader): Promise<PlacedStores> {
  const stores = await reader.compared();
  return { stores, points: mainPoints(await reader.places(), stores.storeCount) };
}

/** Kilometres from one main location to another; not a number when one of the two is hidden. */
export function kilometresBetween(
  from: MainPoints,
  store: number,
  to: MainPoints,
  other: number,
): number {
  const start = new DistanceFrom(from.lat[store] as number, from.lng[store] as number);
  return start.to(to.lat[other] as number, to.lng[other] as number);
}

function mainPoints({ tree, store, number }: PlaceTable, storeCount: number): MainPoints {
  const lat = new Float64Array(storeCount).fill(Number.NaN);
  const lng = new Float64Array(storeCount).fill(Number.NaN);
  for (let place = 0; place < store.length; place++) {
    if (number[place] !== 0) continue;
    const ordinal = store[place] as number;
    lng[ordinal] = tree.coords[2 * place] as number;
    lat[ordinal] = tree.coords[2 * place + 1] as number;
  }
  return { lat, lng };
}
