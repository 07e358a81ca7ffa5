/** Exports whose prices, modules, booking rules or reviews are broken. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { daysLater, type ExportCase, edited, localized, ofNext, times } from './edited-exports.ts';

type Discount = SourceStore['pricing']['discount'];
type Rule = Discount['categoryDiscounts'][number]['rules'][number];
type Reviews = NonNullable<SourceStore['reviews']['external']>;
type Delivery = SourceStore['modules']['delivery']['ranges'][number];
type Refund = SourceStore['modules']['cancellation']['ranges'][number];

const PRICE = 'modules.delivery.ranges.*.price';
const RULES = 'pricing.discount.categoryDiscounts.*.rules.*';
const DURATIONS = 'booking.fixedDurations.durations';

const PRICES: readonly ExportCase[] = [
  edited('another currency', 1, [
    'pricing.currency',
    (currency: { isoCode: string }) =>
      currency.isoCode === 'USD'
        ? { isoCode: 'EUR', symbol: '€' }
        : { isoCode: 'USD', symbol: '$' },
  ]),
  edited('another currency for 49 %', 0.49, ['pricing.currency.isoCode', 'GBP']),
  edited('no signs of currencies', 1, ['pricing.currency.symbol', '']),
  edited('signs in the wrong encoding', 1, ['pricing.currency.symbol', 'â‚¬']),
  edited('taxes zero', 1, ['pricing.tax.value', 0]),
  edited('taxes as fractions', 1, ['pricing.tax.value', times(0.01)]),
  edited('taxes of 100 %', 1, ['pricing.tax.value', 100]),
  edited('taxes on top', 1, ['pricing.tax.type', 'EXCLUSIVE']),
  edited('names of taxes are "undefined"', 1, ['pricing.tax.name', 'undefined']),
  edited('no names of taxes', 1, ['pricing.tax.name', localized(() => '')]),
  edited('no discounts', 1, ['pricing.discount.*', []]),
  edited('discounts of 100 %', 1, ['pricing.discount.globalDiscounts.*.percentage', 100]),
  edited('discounts as fractions', 1, [
    'pricing.discount.globalDiscounts.*.percentage',
    times(0.01),
  ]),
  edited('discounts over 100 %', 1, [
    RULES,
    (rule: Rule) => ({ ...rule, discountType: 'PERCENTAGE', discount: rule.discount * 100 }),
  ]),
  edited('amounts are percentages', 1, [
    RULES,
    (rule: Rule) => ({
      ...rule,
      discountType: rule.discountType === 'AMOUNT' ? 'PERCENTAGE' : 'AMOUNT',
    }),
  ]),
  edited('discounts begin after they end', 1, [
    RULES,
    (rule: Rule) => ({ ...rule, rangeFrom: rule.rangeTo + 1, rangeTo: 1, infiniteTo: false }),
  ]),
  edited('one discount for all', 1, [
    'pricing.discount.globalDiscounts',
    [{ percentage: 50, from: null, to: null, applicableDate: 'CREATED_DATE' }],
  ]),
  edited('pricing of the next store', 1, ofNext('pricing.discount')),
  edited('no pricing tables', 1, ['pricing.showPricingTable', false]),
];

const DELIVERY: readonly ExportCase[] = [
  edited('delivery prices times 100', 1, [PRICE, times(100)]),
  edited('delivery prices of 49 % times 100', 0.49, [PRICE, times(100)]),
  edited('delivery prices divided by 100', 1, [PRICE, times(0.01)]),
  edited('delivery prices zero', 1, [PRICE, 0]),
  edited('delivery prices without decimals', 1, [PRICE, Math.floor]),
  edited('one delivery price for all', 1, [PRICE, 999]),
  edited('no delivery', 1, ['modules.delivery.enabled', false]),
  edited('no delivery ranges', 1, ['modules.delivery.ranges', []]),
  edited('only delivery', 1, ['modules.delivery.deliveryOnly', true]),
  edited('no excluded cities', 1, ['modules.delivery.excludedCities', []]),
  edited('free delivery everywhere', 1, [
    'modules.delivery.freeDelivery',
    () => ({ activated: true, type: 'SUBTOTAL', value: 0 }),
  ]),
  edited('thresholds of free delivery in cents', 1, [
    'modules.delivery.freeDelivery.value',
    times(100),
  ]),
  edited('distances in metres', 1, [
    'modules.delivery.ranges.*',
    (range: Delivery) => ({ ...range, min: range.min * 1000, max: range.max * 1000 }),
  ]),
  edited('delivery ranges reversed', 1, [
    'modules.delivery.ranges.*',
    (range: Delivery) => ({ ...range, min: range.max, max: range.min }),
  ]),
  edited('modules of the next store', 1, ofNext('modules')),
];

const MODULES: readonly ExportCase[] = [
  edited('no payment online', 1, ['modules.onlinePayment.enabled', false]),
  edited('no payment methods', 1, ['modules.onlinePayment.methods.*', false]),
  edited('all payment methods', 1, ['modules.onlinePayment.methods.*', true]),
  edited('no insurance', 1, [
    'modules.insurance',
    (insurance: object) => ({
      ...insurance,
      enabled: false,
      details: { provider: 'PROVIDER_B', status: 'off' },
    }),
  ]),
  edited('one insurance for all', 1, ['modules.insurance.details.status', 'with_assurance']),
  edited('all with several locations', 1, [
    'modules.multipleLocations',
    () => ({ enabled: true, dropoffRule: 'DIFFERENT' }),
  ]),
  edited('no cancellation', 1, ['modules.cancellation', () => ({ enabled: false, ranges: [] })]),
  edited('no refunds', 1, ['modules.cancellation.ranges.*.refundAmount', 0]),
  edited('refunds over 100 %', 1, [
    'modules.cancellation.ranges.*',
    (range: Refund) => ({ ...range, refundAmount: range.refundAmount * 100 }),
  ]),
  edited('refunds in money', 1, ['modules.cancellation.ranges.*.refundType', 'AMOUNT']),
  edited('thresholds of refunds in minutes', 1, [
    'modules.cancellation.ranges.*.hourThreshold',
    times(60),
  ]),
];

const BOOKING: readonly ExportCase[] = [
  edited('no kind of booking', 1, ['booking.bookingType.*', false]),
  edited('every kind of booking', 1, ['booking.bookingType.*', true]),
  edited('no booking at once', 1, ['booking.instantBooking.*', false]),
  edited('booking rules of a new store', 1, [
    'booking.rules',
    () => ({
      timeAnchors: { startTimes: [], endTimes: [] },
      leadTime: { minHours: 0 },
      duration: { minHours: null, maxHours: null },
    }),
  ]),
  edited('booking rules of the next store', 1, ofNext('booking.rules')),
  edited('no anchors', 1, ['booking.rules.timeAnchors.*', []]),
  edited('anchors at midnight', 1, [
    'booking.rules.timeAnchors.*.*',
    () => ({ hours: 0, minutes: 0 }),
  ]),
  edited('no lead times', 1, ['booking.rules.leadTime.minHours', 0]),
  edited('lead times in minutes', 1, ['booking.rules.leadTime.minHours', times(60)]),
  edited('longest booking shorter than the shortest', 1, [
    'booking.rules.duration',
    () => ({ minHours: 48, maxHours: 2 }),
  ]),
  edited('no limits of duration', 1, ['booking.rules.duration.*', null]),
  edited('durations lost', 1, [
    'booking.fixedDurations',
    () => ({ enabled: false, durations: [] }),
  ]),
  edited('durations of zero', 1, [`${DURATIONS}.*.minutes`, 0], [`${DURATIONS}.*.hours`, 0]),
  edited('durations in seconds', 1, [`${DURATIONS}.*.minutes`, times(60)]),
  edited('labels of durations are "NaN"', 1, [`${DURATIONS}.*.label`, 'NaN minutes']),
  edited('no labels of durations', 1, [`${DURATIONS}.*.label`, '']),
];

const review = (title: string, change: (reviews: Reviews) => Partial<Reviews>) =>
  edited(title, 1, [
    'reviews.external',
    (reviews: Reviews | null) => reviews && { ...reviews, ...change(reviews) },
  ]);
const eachReview = (
  title: string,
  change: (review: Reviews['reviews'][number]) => Partial<Reviews['reviews'][number]>,
) =>
  review(title, ({ reviews }) => ({ reviews: reviews.map((one) => ({ ...one, ...change(one) })) }));

const REVIEWS: readonly ExportCase[] = [
  edited('reviews gone', 1, ['reviews.external', null]),
  edited('reviews of 49 % gone', 0.49, ['reviews.external', null]),
  edited('reviews of the next store', 1, ofNext('reviews')),
  review('ratings zero', () => ({ rating: 0 })),
  review('ratings without decimals', ({ rating }) => ({ rating: Math.floor(rating) })),
  review('ratings out of 1', ({ rating }) => ({ rating: rating / 5 })),
  review('totals zero', () => ({ total: 0 })),
  review('no single reviews', () => ({ reviews: [] })),
  review('no pages of reviews', () => ({ mapsUrl: '', placeId: '' })),
  review('reviews brought up to date in 1970', () => ({ updatedAt: '1970-01-01T00:00:00Z' })),
  eachReview('comments of reviews are "null"', () => ({ comment: 'null' })),
  eachReview('no authors of reviews', () => ({ author: { name: '', profilePictureUrl: '' } })),
  eachReview('one star for all', () => ({ rating: 1 })),
];

const created = (title: string, change: string | ((time: string) => string | null)) =>
  edited(title, 1, ['metadata.timestamps.createdAt', change]);

const TIMES: readonly ExportCase[] = [
  created('all created at once', '2026-10-01T00:00:00.000Z'),
  created('all created in 1970', '1970-01-01T00:00:00Z'),
  created('created a month later', daysLater(30)),
  created('created at midnight', (time) => `${time.slice(0, 10)}T00:00:00Z`),
];

export const BROKEN_SETTINGS: readonly ExportCase[] = [
  ...PRICES,
  ...DELIVERY,
  ...MODULES,
  ...BOOKING,
  ...REVIEWS,
  ...TIMES,
];
