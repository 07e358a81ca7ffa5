/**
 * `delivery.latitude`, `delivery.longitude`, `delivery.postalCode` and `delivery.city`: the stores that
 * deliver to a point, each with its price.
 */
import type * as z from 'zod';
import { foldWords } from '../../model/fold-text.ts';
import { DELIVERIES_PART, foldCode } from '../../snapshot/delivery-table.ts';
import { PLACES_PART } from '../../snapshot/place-table.ts';
import { findDelivering } from '../find-places.ts';
import {
  addFault,
  type Declaration,
  isAnySent,
  numberBetween,
  parameter,
  SHORT_TEXT,
  unread,
} from '../parameters.ts';
import { BBOX } from './bbox.ts';
import { POSITION } from './position.ts';

const TOGETHER = 'Latitude and longitude of a delivery point are given together.';

/** Names that people try for the point as a whole. */
const POINT_NAMES = [
  'deliversto',
  'deliverto',
  'delivery',
  'deliver',
  'delivery.point',
  'delivery.address',
];

/**
 * Builds the schema of a text that is compared in its folded form.
 * @param example for the sentence about texts without letter or digit
 */
function foldedText(fold: (text: string) => string, example: string) {
  return SHORT_TEXT.transform((text, context): string => {
    const folded = fold(text);
    if (folded !== '') return folded;
    const expected = `Expected letters or digits, such as ${example}`;
    return unread(context, 'malformed_value', expected, text);
  });
}

const shape = {
  'delivery.latitude': parameter(numberBetween(-90, 90), {
    description:
      "Latitude in degrees of the point to deliver to, positive to the north. Given together with `delivery.longitude`. Keeps the stores that deliver there: delivery is enabled, the distance from the nearest of their locations lies in one of `modules.delivery.ranges`, and the town is not excluded. Each then has `distance` and `deliveryPrice`, and `geo.location` is that nearest location; only that one counts. Prices are of the store's own currency, and `modules.delivery.freeDelivery` is yours to apply. Without `delivery.postalCode` and `delivery.city` no town is excluded and no special price holds, so send both. Not together with a position, `bbox` or `after`.",
    example: '48.8566',
    usualNames: [...POINT_NAMES, 'delivery.lat'],
  }),
  'delivery.longitude': parameter(numberBetween(-180, 180), {
    description:
      'Longitude in degrees of the point to deliver to, positive to the east. Given together with `delivery.latitude`.',
    example: '2.3522',
    usualNames: [...POINT_NAMES, 'delivery.lng', 'delivery.lon', 'delivery.long'],
    usage: TOGETHER,
  }),
  'delivery.postalCode': parameter(foldedText(foldCode, '75001'), {
    description:
      'Postal code of the delivery point, if you know it: stores exclude towns, or have special prices for them, by postal code and by name, so send `delivery.city` too. Only its letters and digits count, in any case. Given together with `delivery.latitude` and `delivery.longitude`.',
    example: '75001',
    usualNames: [
      ...['zip', 'zipcode', 'zip_code', 'postcode', 'postal_code'],
      ...['delivery.zip', 'delivery.zipcode', 'delivery.zip_code', 'delivery.postcode'],
    ],
  }),
  'delivery.city': parameter(foldedText(foldWords, 'Paris'), {
    description:
      'Town of the delivery point, if you know it: see `delivery.postalCode`. Case and accents do not matter, nor what stands between words. Given together with `delivery.latitude` and `delivery.longitude`.',
    example: 'Paris',
    usualNames: ['city', 'town', 'delivery.town'],
  }),
};

export const DELIVERY: Declaration<typeof shape> = {
  shape,
  isOrdering: true,
  check(sent, context) {
    for (const name of ['delivery.latitude', 'delivery.longitude']) {
      if (!(name in sent)) addFault(context, 'missing_parameter', TOGETHER, name);
    }
    if (!isAnySent(POSITION.shape, sent) && !isAnySent(BBOX.shape, sent)) return;
    const detail = 'Not together with a position or bbox.';
    for (const name in shape) if (name in sent) addFault(context, 'not_together', detail, name);
  },
  toCondition(values: z.output<z.ZodObject<typeof shape>>) {
    const {
      'delivery.latitude': latitude = 0,
      'delivery.longitude': longitude = 0,
      'delivery.postalCode': code = '',
      'delivery.city': name = '',
    } = values;
    return {
      kind: 'stores',
      keeps: 'few',
      text: `delivery=${latitude},${longitude},${code},${name}`,
      logged: `delivery=${cut(latitude)},${cut(longitude)}`,
      parts: [PLACES_PART, DELIVERIES_PART],
      order: [{ column: 'distance', descending: false }],
      isShown: true,
      open: (release, scratch) =>
        findDelivering(
          release.table(PLACES_PART),
          release.table(DELIVERIES_PART),
          { latitude, longitude },
          { code, name },
          scratch,
        ),
    };
  },
};

/** Cuts degrees to two decimals, about a kilometre: a log has no addresses of people. */
function cut(degrees: number): number {
  // Digit by digit: 0.29 times 100 is less than 29. What JavaScript writes with an exponent is near 0.
  return Number(/^-?\d+(?:\.\d{1,2})?(?!.*e)/.exec(String(degrees))?.[0] ?? 0) + 0;
}
