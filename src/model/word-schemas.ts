/** Schemas of the closed sets of words in the contract. */
import * as z from 'zod';
import { LANGUAGES, VERTICALES } from './enumerations.ts';

/** Makes the schema of a closed set of words. @param id its name in the OpenAPI document */
function named<const Words extends readonly string[]>(
  id: string,
  words: Words,
  description: string,
) {
  return z.enum(words).meta({ id, description });
}

export const verticaleSchema = named(
  'CompanyVerticale',
  VERTICALES,
  'Sector of activity (verticale in French): a kind of goods that a store rents out, such as bikes, skis or boats. `MOTOCULTURE` is garden machinery.',
);
export const languageSchema = named(
  'Language',
  LANGUAGES,
  'Language of localized content, as an ISO 639-1 code in small letters.',
);
export const freeDeliveryTypeSchema = named(
  'FreeDeliveryType',
  ['MINUTES', 'SUBTOTAL'],
  'What decides whether delivery is free: `MINUTES`, or the `SUBTOTAL` of the booking.',
);
export const paymentProviderSchema = named(
  'PaymentProvider',
  ['PROVIDER_A'],
  'Company that processes online payments. There is only one.',
);
export const insuranceProviderSchema = named(
  'InsuranceProvider',
  ['PROVIDER_B'],
  'Company that insures rentals. There is only one.',
);
export const insuranceStatusSchema = named(
  'InsuranceStatus',
  ['off', 'on_inclusion_hidden', 'on_inclusion', 'on_option', 'with_assurance'],
  'How the store has configured insurance. The words come from the rental application, which does not explain them further.',
);
export const dropoffRuleSchema = named(
  'DropoffRule',
  ['SAME', 'DIFFERENT'],
  'Where customers return products: to the `SAME` rental point, or also to a `DIFFERENT` one.',
);
export const refundTypeSchema = named(
  'RefundType',
  ['PERCENTAGE', 'AMOUNT'],
  'Whether a refund is a `PERCENTAGE` or an `AMOUNT` of money.',
);
export const openingDaySchema = named(
  'OpeningDay',
  ['0', '1', '2', '3', '4', '5', '6', '*'],
  'Day of the week as text: `0` is Sunday, `1` Monday, and so on to `6`, Saturday. `*` is every day: such a row applies in addition to those of the weekday.',
);
export const taxTypeSchema = named(
  'TaxType',
  ['INCLUSIVE', 'EXCLUSIVE'],
  'Whether prices include the tax (`INCLUSIVE`) or the tax is added to them (`EXCLUSIVE`).',
);
export const discountDateSchema = named(
  'DiscountDate',
  ['CREATED_DATE', 'START_DATE'],
  'Which date decides whether a discount applies: the date on which the booking is made (`CREATED_DATE`) or the date on which it starts (`START_DATE`).',
);
export const discountTypeSchema = named(
  'DiscountType',
  ['AMOUNT', 'PERCENTAGE'],
  'Whether a discount is an `AMOUNT` of money or a `PERCENTAGE`.',
);
