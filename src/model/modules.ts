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
    cityName: z.string(),
    sublocalityName: z.string(),
    zipCode: z.string(),
    placeId: z.string(),
    hasMultiplePostcodeLocalities: z.boolean(),
  })
  .meta({ id: 'DeliveryCity' });

const deliveryRangeSchema = z
  .strictObject({
    min: distanceSchema.describe('Lower bound in km.'),
    max: distanceSchema.describe('Upper bound in km.'),
    price: amountSchema.describe('Base price.'),
    specificPrices: z.array(
      z.strictObject({ price: amountSchema, cities: z.array(deliveryCitySchema) }),
    ),
  })
  .meta({ id: 'DeliveryRange' });

const deliverySchema = z.strictObject({
  enabled: z.boolean(),
  deliveryOnly: z.boolean().describe('Only delivery is allowed.'),
  ranges: z.array(deliveryRangeSchema).describe('Delivery distance ranges.'),
  excludedCities: z.array(deliveryCitySchema),
  freeDelivery: z.strictObject({
    activated: z.boolean(),
    type: z.enum(FREE_DELIVERY_TYPES),
    value: amountSchema.describe('Minutes or subtotal amount, according to type.'),
  }),
});

const onlinePaymentSchema = z.strictObject({
  enabled: z.boolean(),
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
  enabled: z.boolean(),
  provider: z.enum(INSURANCE_PROVIDERS),
  details: z.strictObject({
    provider: z.enum(INSURANCE_PROVIDERS),
    status: z.enum(INSURANCE_STATUSES),
  }),
});

const multipleLocationsSchema = z.strictObject({
  enabled: z.boolean(),
  dropoffRule: z
    .enum(DROPOFF_RULES)
    .describe('Whether products may be dropped off at a different rental point.'),
});

const cancellationSchema = z.strictObject({
  enabled: z.boolean(),
  ranges: z.array(
    z.strictObject({
      hourThreshold: z.number().min(0).max(MOST_HOURS).describe('Hours before the booking start.'),
      refundType: z.enum(REFUND_TYPES),
      refundAmount: amountSchema,
    }),
  ),
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
