/** The five module settings of a store (StoreModules). */
import * as z from 'zod';
import { hoursSchema } from './booking.ts';
import { addressPart } from './location.ts';
import {
  dropoffRuleSchema,
  freeDeliveryTypeSchema,
  insuranceProviderSchema,
  insuranceStatusSchema,
  paymentProviderSchema,
  refundTypeSchema,
} from './word-schemas.ts';

/** Kilometres. Some exports write 99,999 for everywhere. */
const distanceSchema = z.number().min(0).max(100_000);

/** An amount of money. */
const amountSchema = z.number().min(0);

const deliveryCitySchema = z
  .strictObject({
    cityName: z.string().describe('City.'),
    sublocalityName: addressPart('Part of the city'),
    zipCode: addressPart('Postal code'),
    placeId: addressPart('Place identifier of a map provider'),
    hasMultiplePostcodeLocalities: z
      .boolean()
      .describe('Whether the postal code has several localities.'),
  })
  .meta({ id: 'DeliveryCity', description: 'A city, for rules of delivery.' });

const specificPriceSchema = z.strictObject({
  price: amountSchema.describe('Price in these cities, in the currency of the store.'),
  cities: z.array(deliveryCitySchema).describe('Cities in which this is the price.'),
});

const deliveryRangeSchema = z
  .strictObject({
    min: distanceSchema.describe('Lower bound of the distance in km; 0 begins at the store.'),
    max: distanceSchema.describe('Upper bound of the distance in km.'),
    price: amountSchema.describe(
      'Base price of a delivery in the range, in the currency of the store; 0 is free of charge.',
    ),
    specificPrices: z
      .array(specificPriceSchema)
      .describe('Prices that replace `price` in certain cities. Empty when there are none.'),
  })
  .meta({
    id: 'DeliveryRange',
    description: 'A range of distances, and what delivery costs in it.',
  });

const freeDeliverySchema = z.strictObject({
  activated: z.boolean().describe('Whether the store offers free delivery.'),
  type: freeDeliveryTypeSchema,
  value: amountSchema.describe(
    'Number of minutes, or a subtotal in the currency of the store: `type` says which.',
  ),
});

const deliverySchema = z.strictObject({
  enabled: z.boolean().describe('Whether delivery is enabled.'),
  deliveryOnly: z.boolean().describe('Whether only delivery is allowed.'),
  ranges: z
    .array(deliveryRangeSchema)
    .describe('Delivery distances and their prices. Empty when there are none.'),
  excludedCities: z
    .array(deliveryCitySchema)
    .describe('Cities that are excluded from delivery. Empty when there are none.'),
  freeDelivery: freeDeliverySchema.describe('When delivery is free.'),
});

export type StoreDelivery = z.infer<typeof deliverySchema>;

/** Builds the schema of a payment method. @param method its name */
const paymentMethod = (method: string) =>
  z.boolean().describe(`Whether customers can pay online by ${method}.`);

const paymentMethodsSchema = z.strictObject({
  card: paymentMethod('card'),
  walletA: paymentMethod('wallet A'),
  walletB: paymentMethod('wallet B'),
  voucherConnect: paymentMethod('Voucher Connect'),
  sepa: paymentMethod('SEPA'),
  ideal: paymentMethod('iDEAL'),
  bancontact: paymentMethod('Bancontact'),
  giroPay: paymentMethod('giropay'),
  p24: paymentMethod('P24 (Przelewy24)'),
  blik: paymentMethod('BLIK'),
  multibanco: paymentMethod('Multibanco'),
  eps: paymentMethod('EPS'),
});

const onlinePaymentSchema = z.strictObject({
  enabled: z.boolean().describe('Whether customers can pay online.'),
  provider: paymentProviderSchema,
  methods: paymentMethodsSchema.describe('Payment methods of the online store.'),
});

const insuranceSchema = z.strictObject({
  enabled: z.boolean().describe('Whether insurance is enabled.'),
  provider: insuranceProviderSchema,
  details: z
    .strictObject({ provider: insuranceProviderSchema, status: insuranceStatusSchema })
    .describe('Configuration of the insurance.'),
});

const multipleLocationsSchema = z.strictObject({
  enabled: z.boolean().describe('Whether the store works with several rental points.'),
  dropoffRule: dropoffRuleSchema,
});

const cancellationRangeSchema = z.strictObject({
  hourThreshold: hoursSchema.describe(
    'Number of hours before the start of the booking. 48 is for cancellations made more than 48 hours before the start.',
  ),
  refundType: refundTypeSchema,
  refundAmount: amountSchema.describe(
    'What is refunded: a percentage, or an amount of money in the currency of the store, as `refundType` says. 0: no refund.',
  ),
});

const cancellationSchema = z.strictObject({
  enabled: z.boolean().describe('Whether cancellation is enabled.'),
  ranges: z
    .array(cancellationRangeSchema)
    .describe(
      'Refunds, which depend on how early a booking is cancelled. Empty when there are none.',
    ),
});

export const storeModulesSchema = z
  .strictObject({
    delivery: deliverySchema.describe('Delivery to customers.'),
    onlinePayment: onlinePaymentSchema.describe('Payment online.'),
    insurance: insuranceSchema.describe('Insurance of rentals.'),
    multipleLocations: multipleLocationsSchema.describe('Rental at several rental points.'),
    cancellation: cancellationSchema.describe('Cancellation of bookings.'),
  })
  .meta({ id: 'StoreModules', description: 'Settings of the five modules.' });
