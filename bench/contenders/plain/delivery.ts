/** Delivery of one store, as a plain app works it out. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { foldWords } from '../../../src/model/fold-text.ts';
import { inMillimetres, type Nearest } from './describe-store.ts';
import type { Town } from './read-query.ts';

type DeliveryCity = SourceStore['modules']['delivery']['excludedCities'][number];

/**
 * Returns what a delivery costs; null where the store does not deliver.
 * @param nearest the location of the store that is nearest to the point
 */
export function deliveryPrice(
  { modules: { delivery } }: SourceStore,
  { millimetres }: Nearest,
  town: Town,
): number | null {
  const range = delivery.ranges.find(
    ({ min, max }) => inMillimetres(min) <= millimetres && millimetres <= inMillimetres(max),
  );
  if (!delivery.enabled || !range || isAmong(delivery.excludedCities, town)) return null;
  const special = range.specificPrices.find(({ cities }) => isAmong(cities, town));
  return (special ?? range).price;
}

/** Returns whether a town is one of `cities`. Postal codes decide where both have one. */
function isAmong(cities: readonly DeliveryCity[], town: Town): boolean {
  return cities.some(({ cityName, zipCode, hasMultiplePostcodeLocalities: isShared }) => {
    const isSameCity = foldWords(cityName) === foldWords(town.city);
    const code = foldCode(zipCode);
    if (code === '') return isSameCity;
    return code === foldCode(town.postalCode) && (isSameCity || !isShared);
  });
}

const foldCode = (code: string): string => foldWords(code).replaceAll(' ', '');
