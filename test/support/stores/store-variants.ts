/** Stores that differ from the built one in what a test is about. */
import { changed } from '../../../fixtures/changed-store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { buildLocation, buildStore } from './store-builder.ts';

/** Store `number` with external reviews. */
export function ratedStore(number: number, rating: number, total: number): SourceStore {
  const times = '2024-05-06T07:08:09Z';
  const external = { rating, total, placeId: 'p', reviews: [], mapsUrl: 'm', updatedAt: times };
  return buildStore(number, { 'reviews.external': external });
}

/** Store `number` at a point `[lat, lng]`, with rental points `point-1`, `point-2`, … at further ones. */
export function storeAt(
  number: number,
  main: [number, number],
  ...points: [number, number][]
): SourceStore {
  return buildStore(number, {
    'geo.main': buildLocation(`main-${number}`, ...main),
    'geo.rentalPoints': points.map((each, index) => buildLocation(`point-${index + 1}`, ...each)),
  });
}

/** Store `number` with one rental point and its address display disabled. */
export function hiddenStore(number: number): SourceStore {
  return changed(storeAt(number, [48, 7], [48.1, 7]), { 'geo.displayAddress': false });
}
