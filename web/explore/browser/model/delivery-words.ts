/** What a store says of deliveries, amounts and lengths of time, in words. */
import type { Store } from '../../../../src/model/store.ts';
import { count } from './words.ts';

/** What is known by its name; what has no text is not shown. */
export type Facts = readonly (readonly [name: string, text: string])[];

/** The fields by which amounts of a module are written. */
export interface Priced<Module extends keyof Store['modules']> {
  readonly modules: Pick<Store['modules'], Module>;
  readonly pricing: Pick<Store['pricing'], 'currency'>;
}

type Delivery = Store['modules']['delivery'];
type Range = Delivery['ranges'][number];
type City = Delivery['excludedCities'][number];
type Currency = Store['pricing']['currency'];

/** Kilometres that mean everywhere. */
const EVERYWHERE = 20_000;

export function deliveryFacts({ modules, pricing }: Priced<'delivery'>): Facts {
  const { enabled, deliveryOnly, ranges, excludedCities, freeDelivery } = modules.delivery;
  if (!enabled) return [['Delivers', 'No']];
  const { currency } = pricing;
  const isBySubtotal = freeDelivery.type === 'SUBTOTAL';
  const least = isBySubtotal
    ? `For bookings of ${money(freeDelivery.value, currency)} or more`
    : `For rentals of ${duration(freeDelivery.value / 60)} or longer`;
  return [
    ['Delivers', deliveryOnly ? 'Everything: nothing is picked up' : ''],
    ...ranges.flatMap((range) => rangeFacts(range, currency)),
    ['Free', freeDelivery.activated ? least : ''],
    ['Not to', excludedCities.map(cityName).join(', ')],
  ];
}

/** Says what a distance costs, and in which towns it costs something else. */
function rangeFacts(range: Range, currency: Currency): Facts {
  const distance = describeRange(range);
  const special = range.specificPrices.map(
    ({ price, cities }) =>
      `${price === 0 ? 'free' : money(price, currency)} in ${cities.map(cityName).join(', ')}`,
  );
  const price = range.price === 0 ? 'Free' : money(range.price, currency);
  return [[distance, [price, ...special].join('; ')]];
}

function describeRange({ min, max }: Range): string {
  if (max >= EVERYWHERE) return min === 0 ? 'Any distance' : `From ${count(min)} km`;
  return min === 0 ? `Up to ${count(max)} km` : `${count(min)}–${count(max)} km`;
}

function cityName({ zipCode, cityName: city, sublocalityName: part }: City): string {
  return `${zipCode} ${city}${part === '' ? '' : ` (${part})`}`.trim();
}

/** Writes an amount as people do; whole ones without cents. */
export function money(amount: number, { isoCode, symbol }: Currency): string {
  try {
    return amount.toLocaleString('en', {
      style: 'currency',
      currency: isoCode,
      trailingZeroDisplay: 'stripIfInteger',
    });
  } catch {
    // A code that is none.
    return `${symbol}${count(amount)}`;
  }
}

/** Writes a duration: `30 minutes`, `36 hours`, `2 days`. */
export function duration(hours: number): string {
  const [amount, unit] =
    hours < 1 ? [hours * 60, 'minute'] : hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return amount.toLocaleString('en', { style: 'unit', unit, unitDisplay: 'long' });
}
