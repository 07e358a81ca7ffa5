/** What shops change about prices, modules and bookings, and what is said of them. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { type ExportCase, edited, localized, times } from './edited-exports.ts';

type Reviews = SourceStore['reviews']['external'];

/** A few more reviews, as a platform sends them at night. */
const reviewed = (reviews: Reviews, { index }: { index: number }): Reviews =>
  reviews && {
    ...reviews,
    rating: Math.min(5, times(1)(reviews.rating + ((index % 3) - 1) / 10)),
    total: reviews.total + 1 + (index % 4),
    reviews: [...reviews.reviews.slice(1), ...reviews.reviews.slice(0, 1)],
    updatedAt: '2026-10-02T01:30:00.000Z',
  };

const PRICES: readonly ExportCase[] = [
  ...[3, 5, 8].map((percent) =>
    edited(`a chain's delivery ${percent} % dearer`, 0.05, [
      'modules.delivery.ranges.*.price',
      times(1 + percent / 100),
    ]),
  ),
  edited('delivery of 2 % at half the price', 0.02, [
    'modules.delivery.ranges.*.price',
    times(0.5),
  ]),
  edited('taxes of 1 % corrected', 0.01, ['pricing.tax.value', 17]),
  edited('names of taxes of 3 %', 0.03, [
    'pricing.tax.name',
    localized((name) => `${name} (incl.)`),
  ]),
  edited('a sale at 8 %', 0.08, [
    'pricing.discount.globalDiscounts',
    [{ percentage: 20, from: null, to: '2026-11-30T23:00:00Z', applicableDate: 'CREATED_DATE' }],
  ]),
  edited('discounts of 4 % over', 0.04, ['pricing.discount.globalDiscounts', []]),
  edited('pricing tables of 3 % shown', 0.03, ['pricing.showPricingTable', true]),
  edited('1 % with euros', 0.01, ['pricing.currency', () => ({ isoCode: 'EUR', symbol: '€' })]),
];

const SETTINGS: readonly ExportCase[] = [
  edited('reviews of half in a night', 0.5, ['reviews.external', reviewed]),
  edited('reviews of 5 % in an hour', 0.05, ['reviews.external', reviewed]),
  edited('1 % lose their reviews', 0.01, ['reviews.external', null]),
  edited('2 % deliver no more', 0.02, ['modules.delivery.enabled', false]),
  edited('free delivery at a chain', 0.05, [
    'modules.delivery.freeDelivery',
    () => ({ activated: true, type: 'SUBTOTAL', value: 75 }),
  ]),
  edited('a new way to pay for 5 %', 0.05, ['modules.onlinePayment.methods.walletA', true]),
  edited('insurance for 4 %', 0.04, [
    'modules.insurance',
    (insurance: object) => ({
      ...insurance,
      enabled: true,
      details: { provider: 'PROVIDER_B', status: 'on_option' },
    }),
  ]),
  edited('kinder refunds at a chain', 0.05, [
    'modules.cancellation',
    () => ({
      enabled: true,
      ranges: [{ hourThreshold: 24, refundType: 'PERCENTAGE', refundAmount: 100 }],
    }),
  ]),
  edited("a chain's other booking rules", 0.05, [
    'booking.rules',
    () => ({
      timeAnchors: {
        startTimes: [{ hours: 9, minutes: 0 }],
        endTimes: [{ hours: 17, minutes: 30 }],
      },
      leadTime: { minHours: 12 },
      duration: { minHours: 4, maxHours: 336 },
    }),
  ]),
  edited('4 % book at once', 0.04, ['booking.instantBooking.lcd', true]),
  edited('half days for 3 %', 0.03, [
    'booking.fixedDurations',
    () => ({ enabled: true, durations: [{ id: 'half', minutes: 240, hours: 4, label: '½' }] }),
  ]),
  edited('long rentals at 2 %', 0.02, ['booking.bookingType.lld', true]),
];

export const ORDINARY_SETTINGS: readonly ExportCase[] = [...PRICES, ...SETTINGS];
