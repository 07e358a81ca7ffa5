/** Currency, tax and discounts of a store (StorePricing). */
import { z } from 'zod';
import { DISCOUNT_DATES, DISCOUNT_TYPES, TAX_TYPES } from './enumerations.ts';
import { timestampSchema } from './timestamp.ts';

const percentageSchema = z.number().min(0).max(100);

export const taxSchema = z.strictObject({
  type: z.enum(TAX_TYPES).describe('Whether prices include it.'),
  value: percentageSchema.describe('Percentage.'),
  name: z.string(),
});

const globalDiscountSchema = z.strictObject({
  percentage: percentageSchema.describe('Discount on everything.'),
  from: timestampSchema.nullable().describe('Null: always applicable.'),
  to: timestampSchema.nullable().describe('Null: always applicable.'),
  applicableDate: z
    .enum(DISCOUNT_DATES)
    .describe('Whether it applies at booking creation or at the booking start date.'),
});

const categoryDiscountSchema = z.strictObject({
  itemCategoryIds: z.array(z.string()).describe('Categories of items that it is for.'),
  rules: z
    .array(
      z.strictObject({
        discount: z.number().min(0).describe('Percentage, or an amount of money.'),
        discountType: z.enum(DISCOUNT_TYPES).describe('What the discount is.'),
        rangeFrom: z.number().min(0).describe('Item quantity.'),
        rangeTo: z.number().min(0).describe('Item quantity.'),
        infiniteTo: z.boolean().describe('The range has no upper limit.'),
      }),
    )
    .describe('Discounts by the number of items.'),
});

export const storePricingSchema = z
  .strictObject({
    currency: z.strictObject({
      isoCode: z.string().describe('ISO 4217.'),
      symbol: z.string().describe('As it is shown.'),
    }),
    tax: taxSchema,
    discount: z.strictObject({
      globalDiscounts: z.array(globalDiscountSchema).describe('On everything, for a time.'),
      categoryDiscounts: z
        .array(categoryDiscountSchema)
        .describe('On certain categories of items.'),
    }),
    showPricingTable: z.boolean().describe('Whether the full pricing table is displayed.'),
  })
  .meta({ id: 'StorePricing' });
