/** Where the stores of a release lie, as far as its index parts show it. */
import { DistanceFrom } from '../../src/query/great-circle.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import type { ReleaseReader } from '../build/release-reader.ts';

/** The main location of a store, in degrees; null: its address is hidden. */
export type MainPoint = { readonly lat: number; readonly lng: number } | null;

/** The main location of each store, by ordinal. @throws CommandError release_damaged */
export async function readMainPoints(reader: ReleaseReader): Promise<MainPoint[]> {
  const { tree, store, number } = await reader.table(PLACES_PART);
  const points = Array<MainPoint>(reader.manifest.storeCount).fill(null);
  store.forEach((ordinal, place) => {
    const [lng, lat] = tree.coords.subarray(2 * place) as unknown as [number, number];
    if (number[place] === 0) points[ordinal] = { lat, lng };
  });
  return points;
}

/** Kilometres from one main location to another; 0 when one of the two is hidden. */
export function kilometresBetween(from: MainPoint, to: MainPoint): number {
  return from && to ? new DistanceFrom(from.lat, from.lng).to(to.lat, to.lng) : 0;
}
