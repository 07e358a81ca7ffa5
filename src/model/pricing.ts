/** Currency, tax and discounts of a store (StorePricing). */
import * as z from 'zod';
import { timestampSchema } from './timestamp.ts';
import { discountDateSchema, discountTypeSchema, taxTypeSchema } from './word-schemas.ts';

const percentageSchema = z.number().min(0).max(100);

const taxSchema = z.strictObject({
  type: taxTypeSchema,
  value: percentageSchema.describe('Tax rate in per cent, such as 20.'),
  name: z.string().describe('Name of the tax, such as VAT, in the language of the answer.'),
});

const globalDiscountSchema = z.strictObject({
  percentage: percentageSchema.describe('Discount in per cent. 0: no discount.'),
  from: timestampSchema.nullable().describe('When the discount begins. Null: it has no beginning.'),
  to: timestampSchema.nullable().describe('When the discount ends. Null: it has no end.'),
  applicableDate: discountDateSchema,
});

const discountRuleSchema = z.strictObject({
  discount: z
    .number()
    .min(0)
    .describe(
      'A percentage, or an amount of money in the currency of the store, as `discountType` says. 0: no discount.',
    ),
  discountType: discountTypeSchema,
  rangeFrom: z.number().min(0).describe('Least number of items for which the rule applies.'),
  rangeTo: z
    .number()
    .min(0)
    .describe(
      'Greatest number of items for which the rule applies. Ignore it when `infiniteTo` is true.',
    ),
  infiniteTo: z.boolean().describe('True when the range has no upper limit.'),
});

const categoryDiscountSchema = z.strictObject({
  itemCategoryIds: z
    .array(z.string())
    .describe(
      'Identifiers of the item categories that get the discount. The service has no list of categories.',
    ),
  rules: z.array(discountRuleSchema).describe('Discounts by the number of items.'),
});

export const storePricingSchema = z
  .strictObject({
    currency: z
      .strictObject({
        isoCode: z.string().describe('ISO 4217 code, such as EUR.'),
        symbol: z.string().describe('The currency as it is shown beside a price, such as €.'),
      })
      .describe('Currency of the store, in which its amounts of money are.'),
    tax: taxSchema.describe('Tax on the prices of the store.'),
    discount: z
      .strictObject({
        globalDiscounts: z
          .array(globalDiscountSchema)
          .describe(
            'Discounts on all items, always or during a period. Empty when there are none.',
          ),
        categoryDiscounts: z
          .array(categoryDiscountSchema)
          .describe('Discounts on certain categories of items. Empty when there are none.'),
      })
      .describe('Discounts that the store gives.'),
    showPricingTable: z
      .boolean()
      .describe('Whether the store displays its full pricing table (price per duration).'),
  })
  .meta({ id: 'StorePricing', description: 'Currency, tax and discounts.' });
