/** The terms of a store in words: delivery, booking, prices, payment, cancellation. What is unknown here is left out. */
import type { Store } from '../../../../src/model/store.ts';
import { count, languageName } from './words.ts';

/** What is known by its name; what has no text is not shown. */
export type Facts = readonly (readonly [name: string, text: string])[];

type Modules = Store['modules'];
type City = Modules['delivery']['excludedCities'][number];
type TimeAnchor = Store['booking']['rules']['timeAnchors']['startTimes'][number];

/** The fields by which amounts of a module are written. */
interface Priced<Module extends keyof Modules> {
  readonly modules: Pick<Modules, Module>;
  readonly pricing: Pick<Store['pricing'], 'currency'>;
}

/** Kilometres that mean everywhere. */
const EVERYWHERE = 20_000;

const PAYMENT_METHODS: Readonly<Record<keyof Modules['onlinePayment']['methods'], string>> = {
  card: 'Card',
  walletA: 'Wallet A',
  walletB: 'Wallet B',
  voucherConnect: 'Voucher Connect',
  sepa: 'SEPA',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  giroPay: 'giropay',
  p24: 'Przelewy24',
  blik: 'BLIK',
  multibanco: 'Multibanco',
  eps: 'EPS',
};

const INSURANCE: Readonly<Record<Modules['insurance']['details']['status'], string>> = {
  off: '',
  on_inclusion_hidden: 'Included',
  on_inclusion: 'Included',
  on_option: 'Can be added',
  with_assurance: 'Yes',
};

const BOOKING_KINDS = { lcd: 'Short-term', lld: 'Long-term', event: 'Events' } as const;

export function deliveryFacts({ modules, pricing }: Priced<'delivery'>): Facts {
  const { enabled, deliveryOnly, ranges, excludedCities, freeDelivery } = modules.delivery;
  const { isoCode } = pricing.currency;
  if (!enabled) return [['Delivers', 'No']];
  const { activated, type, value } = freeDelivery;
  const costs = (amount: number) => (amount === 0 ? 'free' : money(amount, isoCode));
  const least =
    type === 'SUBTOTAL'
      ? `bookings of ${money(value, isoCode)} or more`
      : `rentals of ${duration(value / 60)} or longer`;
  return [
    ['Delivers', deliveryOnly ? 'Everything: nothing is picked up' : ''],
    ...ranges.map(({ min, max, price, specificPrices }) => {
      const special = specificPrices.map((each) => `${costs(each.price)} in ${named(each.cities)}`);
      const usual = price === 0 ? 'Free' : costs(price);
      return [describeRange(min, max), [usual, ...special].join('; ')] as const;
    }),
    ['Free', activated ? `For ${least}` : ''],
    ['Not to', named(excludedCities)],
  ];
}

function describeRange(min: number, max: number): string {
  if (max >= EVERYWHERE) return min === 0 ? 'Any distance' : `From ${count(min)} km`;
  return min === 0 ? `Up to ${count(max)} km` : `${count(min)}–${count(max)} km`;
}

const named = (cities: readonly City[]): string =>
  cities
    .map(({ zipCode, cityName, sublocalityName: part }) =>
      `${zipCode} ${cityName}${part && ` (${part})`}`.trim(),
    )
    .join(', ');

export function bookingFacts({ booking, modules }: Store): Facts {
  const { bookingType, instantBooking, fixedDurations, rules } = booking;
  const { minHours, maxHours } = rules.duration;
  const { enabled, dropoffRule } = modules.multipleLocations;
  const length = (hours: number | null) => (hours ? duration(hours) : '');
  const offered = fixedDurations.enabled ? fixedDurations.durations : [];
  const back = dropoffRule === 'SAME' ? 'Where you rented' : 'At any rental point';
  return [
    ['Rentals', given(bookingType, BOOKING_KINDS)],
    ['Confirmed at once', given(instantBooking, BOOKING_KINDS)],
    ['Book ahead by', length(rules.leadTime.minHours)],
    ['Shortest', length(minHours)],
    ['Longest', length(maxHours)],
    ['Offered for', offered.map(({ label }) => label).join(', ')],
    ['Starts at', times(rules.timeAnchors.startTimes)],
    ['Ends at', times(rules.timeAnchors.endTimes)],
    ['Return', enabled ? back : ''],
  ];
}

/** Names what is given. */
const given = <Key extends string>(
  flags: Partial<Record<Key, boolean>>,
  names: Readonly<Record<Key, string>>,
): string =>
  (Object.keys(names) as Key[])
    .filter((key) => flags[key])
    .map((key) => names[key])
    .join(', ');

const times = (anchors: readonly TimeAnchor[]): string =>
  anchors
    .map(({ hours, minutes }) =>
      [hours, minutes].map((number) => `${number}`.padStart(2, '0')).join(':'),
    )
    .join(', ');

export function cancellationFacts({ modules, pricing }: Priced<'cancellation'>): Facts {
  const { enabled, ranges } = modules.cancellation;
  if (!enabled || ranges.length === 0) return [['Possible', enabled ? 'Yes' : 'No']];
  return ranges
    .toSorted((a, b) => b.hourThreshold - a.hourThreshold)
    .map(({ hourThreshold, refundType, refundAmount }) => [
      hourThreshold === 0 ? 'Until the start' : `Over ${duration(hourThreshold)} before`,
      refundAmount === 0
        ? 'Nothing back'
        : `${share(refundAmount, refundType, pricing.currency.isoCode)} back`,
    ]);
}

export function paymentFacts({ modules, pricing }: Store, at: Date): Facts {
  const { onlinePayment, insurance } = modules;
  const { tax, currency, discount, showPricingTable } = pricing;
  const methods = given(onlinePayment.methods, PAYMENT_METHODS) || 'Yes';
  const isIncluded = tax.type === 'INCLUSIVE';
  const onAll = discount.globalDiscounts
    .filter(({ percentage, to }) => percentage > 0 && (to === null || new Date(to) > at))
    .map(({ percentage, from, to, applicableDate }) => {
      const what = applicableDate === 'START_DATE' ? 'rentals that start' : 'bookings made';
      const when = `${from ? ` from ${date(from)}` : ''}${to ? ` until ${date(to)}` : ''}`;
      return `${count(percentage)} % off${when && ` for ${what}${when}`}`;
    });
  const onSome = discount.categoryDiscounts
    .flatMap(({ rules }) => rules)
    .filter(({ discount }) => discount > 0)
    .map(({ discount, discountType, rangeFrom, rangeTo, infiniteTo }) => {
      const pieces = infiniteTo ? `${rangeFrom} pieces or more` : `${rangeFrom}–${rangeTo} pieces`;
      return `${share(discount, discountType, currency.isoCode)} off ${pieces}`;
    });
  return [
    ['Online', onlinePayment.enabled ? methods : 'No'],
    ['Currency', currency.isoCode],
    [tax.name || 'Tax', `${count(tax.value)} %, ${isIncluded ? 'included' : 'added to prices'}`],
    ['Insurance', insurance.enabled ? INSURANCE[insurance.details.status] : ''],
    ['Discounts', onAll.join('; ')],
    ['On some articles', [...new Set(onSome)].join('; ')],
    ['Price table', showPricingTable ? 'On its page' : ''],
  ];
}

export function aboutFacts({ localization, metadata, slug, id }: Store): Facts {
  return [
    ['Speaks', localization.available.map(languageName).join(', ')],
    ['Listed since', date(metadata.timestamps.createdAt)],
    ['Slug', slug],
    ['Id', id],
  ];
}

const date = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Writes an amount, or a percentage. */
const share = (number: number, type: 'AMOUNT' | 'PERCENTAGE', currency: string): string =>
  type === 'AMOUNT' ? money(number, currency) : `${count(number)} %`;

/** Writes an amount as people do; whole ones without cents. */
const money = (amount: number, currency: string): string =>
  amount.toLocaleString('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });

/** Writes a duration: `30 minutes`, `36 hours`, `2 days`. */
function duration(hours: number): string {
  const [amount, unit] =
    hours < 1 ? [hours * 60, 'minute'] : hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return amount.toLocaleString('en', { style: 'unit', unit, unitDisplay: 'long' });
}
