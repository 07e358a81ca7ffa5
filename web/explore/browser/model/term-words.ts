/** The terms of a store in words: booking, prices, payment, cancellation. What is unknown here is left out. */
import type { Store } from '../../../../src/model/store.ts';
import { duration, type Facts, money, type Priced } from './delivery-words.ts';
import { count } from './words.ts';

type Modules = Store['modules'];
type Discounts = Store['pricing']['discount'];
type Refund = Modules['cancellation']['ranges'][number];
type TimeAnchor = Store['booking']['rules']['timeAnchors']['startTimes'][number];

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

export function paymentFacts({ modules, pricing }: Store, at: Date): Facts {
  const { onlinePayment, insurance } = modules;
  const { tax, currency, discount } = pricing;
  const { methods } = onlinePayment;
  const names = (Object.keys(PAYMENT_METHODS) as (keyof typeof PAYMENT_METHODS)[])
    .filter((method) => methods[method])
    .map((method) => PAYMENT_METHODS[method]);
  const isIncluded = tax.type === 'INCLUSIVE';
  return [
    ['Online', onlinePayment.enabled ? names.join(', ') || 'Yes' : 'No'],
    ['Currency', currency.isoCode],
    [tax.name || 'Tax', `${count(tax.value)} %, ${isIncluded ? 'included' : 'added to prices'}`],
    ['Insurance', insurance.enabled ? INSURANCE[insurance.details.status] : ''],
    ...discountFacts(discount, currency, at),
    ['Price table', pricing.showPricingTable ? 'On its page' : ''],
  ];
}

function discountFacts(
  { globalDiscounts, categoryDiscounts }: Discounts,
  currency: Store['pricing']['currency'],
  at: Date,
): Facts {
  const onAll = globalDiscounts
    .filter(({ percentage, to }) => percentage > 0 && (to === null || new Date(to) > at))
    .map(({ percentage, from, to, applicableDate }) => {
      const what = applicableDate === 'START_DATE' ? 'rentals that start' : 'bookings made';
      const period = [from && `from ${date(from)}`, to && `until ${date(to)}`].filter(Boolean);
      const when = period.length > 0 ? ` for ${what} ${period.join(' ')}` : '';
      return `${count(percentage)} % off${when}`;
    });
  const onSome = categoryDiscounts
    .flatMap(({ rules }) => rules)
    .filter(({ discount }) => discount > 0)
    .map(({ discount, discountType, rangeFrom, rangeTo, infiniteTo }) => {
      const pieces = infiniteTo ? `${rangeFrom} pieces or more` : `${rangeFrom}–${rangeTo} pieces`;
      const off = discountType === 'AMOUNT' ? money(discount, currency) : `${count(discount)} %`;
      return `${off} off ${pieces}`;
    });
  return [
    ['Discounts', onAll.join('; ')],
    ['On some articles', [...new Set(onSome)].join('; ')],
  ];
}

const date = (timestamp: string): string =>
  new Date(timestamp).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export function cancellationFacts({ modules, pricing }: Priced<'cancellation'>): Facts {
  const { enabled, ranges } = modules.cancellation;
  if (!enabled) return [['Possible', 'No']];
  if (ranges.length === 0) return [['Possible', 'Yes']];
  const refund = ({ refundType, refundAmount }: Refund) => {
    if (refundAmount === 0) return 'Nothing back';
    const isAmount = refundType === 'AMOUNT';
    return `${isAmount ? money(refundAmount, pricing.currency) : `${count(refundAmount)} %`} back`;
  };
  return ranges
    .toSorted((a, b) => b.hourThreshold - a.hourThreshold)
    .map((range) => [
      range.hourThreshold === 0
        ? 'Until the start'
        : `Over ${duration(range.hourThreshold)} before`,
      refund(range),
    ]);
}

export function bookingFacts({ booking, modules }: Store): Facts {
  const { bookingType, instantBooking, fixedDurations, rules } = booking;
  const { minHours, maxHours } = rules.duration;
  const { enabled, dropoffRule } = modules.multipleLocations;
  const kinds = (given: Partial<typeof bookingType>) =>
    Object.entries(BOOKING_KINDS)
      .filter(([kind]) => given[kind as keyof typeof given])
      .map(([, name]) => name)
      .join(', ');
  const length = (hours: number | null) => (hours ? duration(hours) : '');
  return [
    ['Rentals', kinds(bookingType)],
    ['Confirmed at once', kinds(instantBooking)],
    ['Book ahead by', length(rules.leadTime.minHours)],
    ['Shortest', length(minHours)],
    ['Longest', length(maxHours)],
    [
      'Offered for',
      fixedDurations.enabled ? fixedDurations.durations.map(({ label }) => label).join(', ') : '',
    ],
    ['Starts at', times(rules.timeAnchors.startTimes)],
    ['Ends at', times(rules.timeAnchors.endTimes)],
    [
      'Return',
      enabled ? (dropoffRule === 'SAME' ? 'Where you rented' : 'At any rental point') : '',
    ],
  ];
}

const times = (anchors: readonly TimeAnchor[]): string =>
  anchors.map(({ hours, minutes }) => `${pad(hours)}:${pad(minutes)}`).join(', ');

const pad = (number: number): string => String(number).padStart(2, '0');
