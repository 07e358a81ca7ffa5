/** Arbitrary settings of a store: modules, reviews, schedule, pricing and booking. */
import fc from 'fast-check';
import {
  discountDateSchema,
  discountTypeSchema,
  dropoffRuleSchema,
  freeDeliveryTypeSchema,
  insuranceStatusSchema,
  openingDaySchema,
  refundTypeSchema,
  taxTypeSchema,
} from '../../../src/model/enumerations.ts';
import {
  anyAmount,
  awkwardText,
  localizedText,
  numberTo,
  rating,
  reviewCount,
  timestamp,
} from './random-values.ts';

const amount = anyAmount;
const percentage = numberTo(100);
const hours = numberTo(87_600);
const kilometres = numberTo(100_000);
const text = awkwardText;
const flag = fc.boolean();

/** None, one or two. */
export function few<T>(element: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(element, { maxLength: 2 });
}

function flags<K extends string>(...names: K[]): fc.Arbitrary<Record<K, boolean>> {
  return fc
    .tuple(...names.map(() => flag))
    .map(
      (values) =>
        Object.fromEntries(names.map((name, i) => [name, values[i]])) as Record<K, boolean>,
    );
}

const deliveryCity = fc.record({
  cityName: text,
  sublocalityName: text,
  zipCode: text,
  placeId: text,
  hasMultiplePostcodeLocalities: flag,
});

export const modules = fc.record({
  delivery: fc.record({
    enabled: flag,
    deliveryOnly: flag,
    ranges: few(
      fc.record({
        min: kilometres,
        max: kilometres,
        price: amount,
        specificPrices: few(fc.record({ price: amount, cities: few(deliveryCity) })),
      }),
    ),
    excludedCities: few(deliveryCity),
    freeDelivery: fc.record({
      activated: flag,
      type: fc.constantFrom(...freeDeliveryTypeSchema.options),
      value: amount,
    }),
  }),
  onlinePayment: fc.record({
    enabled: flag,
    provider: fc.constant('PROVIDER_A' as const),
    methods: flags(
      ...(['card', 'walletA', 'walletB', 'voucherConnect', 'sepa', 'ideal'] as const),
      ...(['bancontact', 'giroPay', 'p24', 'blik', 'multibanco', 'eps'] as const),
    ),
  }),
  insurance: fc.record({
    enabled: flag,
    provider: fc.constant('PROVIDER_B' as const),
    details: fc.record({
      provider: fc.constant('PROVIDER_B' as const),
      status: fc.constantFrom(...insuranceStatusSchema.options),
    }),
  }),
  multipleLocations: fc.record({
    enabled: flag,
    dropoffRule: fc.constantFrom(...dropoffRuleSchema.options),
  }),
  cancellation: fc.record({
    enabled: flag,
    ranges: few(
      fc.record({
        hourThreshold: hours,
        refundType: fc.constantFrom(...refundTypeSchema.options),
        refundAmount: amount,
      }),
    ),
  }),
});

export const external = fc.record({
  rating,
  total: reviewCount,
  placeId: text,
  reviews: few(
    fc.record({
      author: fc.record({ name: text, profilePictureUrl: text }),
      comment: text,
      rating,
      publishTime: timestamp,
    }),
  ),
  mapsUrl: text,
  updatedAt: timestamp,
});

const openingHours = few(
  fc.record({
    id: text,
    day: fc.constantFrom(...openingDaySchema.options),
    from: fc.constantFrom('00:00', '09:30'),
    to: fc.constantFrom('18:45', '23:59'),
    open: flag,
  }),
);
const dateRanges = few(fc.record({ id: text, from: timestamp, to: timestamp }));

export const temporal = fc.record({
  timezone: fc.constantFrom('Europe/Paris', 'America/New_York', 'UTC', 'Asia/Tokyo'),
  schedule: fc.record({
    openingHours,
    openingHoursLowSeason: openingHours,
    lowSeasonRanges: dateRanges,
    closedRanges: dateRanges,
  }),
});

export const pricing = fc.record({
  currency: fc.record({ isoCode: fc.constantFrom('EUR', 'PLN', 'CHF'), symbol: text }),
  tax: fc.record({
    type: fc.constantFrom(...taxTypeSchema.options),
    value: percentage,
    name: localizedText,
  }),
  discount: fc.record({
    globalDiscounts: few(
      fc.record({
        percentage,
        from: fc.option(timestamp),
        to: fc.option(timestamp),
        applicableDate: fc.constantFrom(...discountDateSchema.options),
      }),
    ),
    categoryDiscounts: few(
      fc.record({
        itemCategoryIds: few(text),
        rules: few(
          fc.record({
            discount: amount,
            discountType: fc.constantFrom(...discountTypeSchema.options),
            rangeFrom: amount,
            rangeTo: amount,
            infiniteTo: flag,
          }),
        ),
      }),
    ),
  }),
  showPricingTable: flag,
});

const anchors = few(
  fc.record({
    hours: fc.integer({ min: 0, max: 23 }),
    minutes: fc.integer({ min: 0, max: 59 }),
  }),
);

export const booking = fc.record({
  bookingType: flags('lcd', 'lld', 'event'),
  instantBooking: flags('lcd', 'lld'),
  fixedDurations: fc.record({
    enabled: flag,
    durations: few(
      fc.record({ id: text, minutes: numberTo(5_256_000), hours, label: localizedText }),
    ),
  }),
  rules: fc.record({
    timeAnchors: fc.record({ startTimes: anchors, endTimes: anchors }),
    leadTime: fc.record({ minHours: hours }),
    duration: fc.record({ minHours: fc.option(hours), maxHours: fc.option(hours) }),
  }),
});
