/** The five module settings of a store (StoreModules). */
import { z } from 'zod';
import {
  DROPOFF_RULES,
  FREE_DELIVERY_TYPES,
  INSURANCE_PROVIDERS,
  INSURANCE_STATUSES,
  PAYMENT_PROVIDERS,
  REFUND_TYPES,
} from './enumerations.ts';

/** Kilometres. Some exports write 99,999 for everywhere. */
const distanceSchema = z.number().min(0).max(100_000);

/** An amount of money. */
const amountSchema = z.number().min(0);

/** Ten years. */
const MOST_HOURS = 87_600;

const deliveryCitySchema = z
  .strictObject({
    cityName: z.string().describe('City.'),
    sublocalityName: z.string().describe('Part of the city; may be empty.'),
    zipCode: z.string().describe('Postal code.'),
    placeId: z.string().describe('Place identifier of a map provider.'),
    hasMultiplePostcodeLocalities: z
      .boolean()
      .describe('Whether the postal code has several localities.'),
  })
  .meta({ id: 'DeliveryCity' });

const deliveryRangeSchema = z
  .strictObject({
    min: distanceSchema.describe('Lower bound in km.'),
    max: distanceSchema.describe('Upper bound in km.'),
    price: amountSchema.describe('Base price.'),
    specificPrices: z
      .array(
        z.strictObject({
          price: amountSchema.describe('Price in these cities.'),
          cities: z.array(deliveryCitySchema).describe('Where this is the price.'),
        }),
      )
      .describe('Prices of certain cities.'),
  })
  .meta({ id: 'DeliveryRange' });

const deliverySchema = z.strictObject({
  enabled: z.boolean().describe('Delivery is offered.'),
  deliveryOnly: z.boolean().describe('Only delivery is allowed.'),
  ranges: z.array(deliveryRangeSchema).describe('Delivery distance ranges.'),
  excludedCities: z.array(deliveryCitySchema).describe('Cities that are not delivered to.'),
  freeDelivery: z.strictObject({
    activated: z.boolean().describe('Delivery may be free.'),
    type: z.enum(FREE_DELIVERY_TYPES).describe('What it depends on.'),
    value: amountSchema.describe('Minutes or subtotal amount, according to type.'),
  }),
});

const onlinePaymentSchema = z.strictObject({
  enabled: z.boolean().describe('Customers can pay online.'),
  provider: z.enum(PAYMENT_PROVIDERS),
  methods: z.strictObject({
    card: z.boolean(),
    walletA: z.boolean(),
    walletB: z.boolean(),
    voucherConnect: z.boolean(),
    sepa: z.boolean(),
    ideal: z.boolean(),
    bancontact: z.boolean(),
    giroPay: z.boolean(),
    p24: z.boolean(),
    blik: z.boolean(),
    multibanco: z.boolean(),
    eps: z.boolean(),
  }),
});

const insuranceSchema = z.strictObject({
  enabled: z.boolean().describe('Insurance is offered.'),
  provider: z.enum(INSURANCE_PROVIDERS),
  details: z.strictObject({
    provider: z.enum(INSURANCE_PROVIDERS),
    status: z.enum(INSURANCE_STATUSES).describe('How insurance is offered.'),
  }),
});

const multipleLocationsSchema = z.strictObject({
  enabled: z.boolean().describe('There are several rental points.'),
  dropoffRule: z
    .enum(DROPOFF_RULES)
    .describe('Whether products may be dropped off at a different rental point.'),
});

const cancellationSchema = z.strictObject({
  enabled: z.boolean().describe('Bookings can be cancelled.'),
  ranges: z
    .array(
      z.strictObject({
        hourThreshold: z
          .number()
          .min(0)
          .max(MOST_HOURS)
          .describe('Hours before the booking start.'),
        refundType: z.enum(REFUND_TYPES).describe('What the amount is.'),
        refundAmount: amountSchema.describe('Percentage of the price, or an amount of money.'),
      }),
    )
    .describe('What is paid back, by how early it is.'),
});

export const storeModulesSchema = z
  .strictObject({
    delivery: deliverySchema,
    onlinePayment: onlinePaymentSchema,
    insurance: insuranceSchema,
    multipleLocations: multipleLocationsSchema,
    cancellation: cancellationSchema,
  })
  .meta({ id: 'StoreModules' });
