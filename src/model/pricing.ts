/** Currency, tax and discounts of a store (StorePricing). */
import { z } from 'zod';
import { DISCOUNT_DATES, DISCOUNT_TYPES, TAX_TYPES } from './enumerations.ts';
import { timestampSchema } from './timestamp.ts';

const percentageSchema = z.number().min(0).max(100);

export const taxSchema = z.strictObject({
  type: z.enum(TAX_TYPES),
  value: percentageSchema.describe('Percentage.'),
  name: z.string(),
});

const globalDiscountSchema = z.strictObject({
  percentage: percentageSchema,
  from: timestampSchema.nullable().describe('Null: always applicable.'),
  to: timestampSchema.nullable().describe('Null: always applicable.'),
  applicableDate: z
    .enum(DISCOUNT_DATES)
    .describe('Whether it applies at booking creation or at the booking start date.'),
});

const categoryDiscountSchema = z.strictObject({
  itemCategoryIds: z.array(z.string()),
  rules: z.array(
    z.strictObject({
      discount: z.number().min(0),
      discountType: z.enum(DISCOUNT_TYPES),
      rangeFrom: z.number().min(0).describe('Item quantity.'),
      rangeTo: z.number().min(0).describe('Item quantity.'),
      infiniteTo: z.boolean().describe('The range has no upper limit.'),
    }),
  ),
});

export const storePricingSchema = z
  .strictObject({
    currency: z.strictObject({
      isoCode: z.string().describe('ISO 4217.'),
      symbol: z.string(),
    }),
    tax: taxSchema,
    discount: z.strictObject({
      globalDiscounts: z.array(globalDiscountSchema),
      categoryDiscounts: z.array(categoryDiscountSchema),
    }),
    showPricingTable: z.boolean().describe('Whether the full pricing table is displayed.'),
  })
  .meta({ id: 'StorePricing' });
