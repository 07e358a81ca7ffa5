/**
 * Arbitrary small exports: every field of a source store, read off its schema, with values that are
 * awkward on purpose.
 */
import fc from 'fast-check';
import * as z from 'zod';
import { reverseKeys } from '../../../fixtures/changed-store.ts';
import { type SourceStore, sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
import { ID_PATTERN } from '../../../src/model/store.ts';
import {
  anyAmount,
  anyId,
  anyPoint,
  awkwardCity,
  awkwardName,
  awkwardPostcode,
  awkwardSlug,
  awkwardText,
  descriptionText,
  language,
  languageMap,
  localizedText,
  numberTo,
  rating,
  reviewCount,
  timestamp,
  verticale,
} from './random-values.ts';

/** Hexadecimal in either case; half of them differ in the last digits only. */
const id = fc.oneof(
  anyId,
  fc
    .string({ unit: fc.constantFrom(...'09afAF'), minLength: 2, maxLength: 2 })
    .map((end) => `65fFe0Aa00000000000000${end}`),
);

const pageUrl = fc.constantFrom(
  ...['https://shop.test', 'https://shop.test/é?', 'https://shop.test/a?utm_source=old&b=1#part'],
  ...[
    'https://shop.test/?b&&c=1&',
    'https://shop.test/??utm_source=kept',
    'https://shop.test/?&&u=1',
  ],
  ...['https://shop.test/?q=%20+x&utm_sourced=1', 'https://shop.test/#?utm_source=fragment'],
  ...['https://shop.test/?UTM_SOURCE=1&utm%5Fmedium=old', 'https://shop.test/?x="#"\\u0041'],
);

const localization = fc
  .tuple(fc.uniqueArray(language, { minLength: 1 }), fc.nat())
  .map(([available, pick]) => ({
    default: available[pick % available.length] ?? 'fr',
    available,
  }));

const rowTimes = {
  from: fc.constantFrom('00:00', '09:30'),
  to: fc.constantFrom('18:45', '23:59'),
};

/**
 * Values that a schema does not tell, by their whole path, or by the last word of it; for lists they are
 * elements.
 */
const OWN: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  id,
  slug: awkwardSlug.filter((slug) => !ID_PATTERN.test(slug)),
  'profile.name': awkwardName,
  'profile.description': languageMap(descriptionText),
  'profile.verticales': verticale,
  localization,
  pageUrl,
  '*.slug': awkwardSlug,
  '*.city': awkwardCity,
  '*.country': awkwardCity,
  '*.postalCode': awkwardPostcode,
  '*.point': anyPoint,
  '*.rating': rating,
  'reviews.external.total': reviewCount,
  'modules.delivery.enabled': fc.constantFrom(true, true, true, false),
  'modules.delivery.ranges.min': fc.oneof(fc.constant(0), numberTo(100_000)),
  '*.cityName': awkwardCity,
  '*.zipCode': awkwardPostcode,
  'temporal.timezone': fc.constantFrom('Europe/Paris', 'America/New_York', 'UTC', 'Asia/Tokyo'),
  'temporal.schedule.openingHours.from': rowTimes.from,
  'temporal.schedule.openingHours.to': rowTimes.to,
  'temporal.schedule.openingHoursLowSeason.from': rowTimes.from,
  'temporal.schedule.openingHoursLowSeason.to': rowTimes.to,
  'pricing.currency.isoCode': fc.constantFrom('EUR', 'PLN', 'CHF'),
  ...Object.fromEntries(
    ['from', 'to', 'createdAt', 'updatedAt', 'publishTime'].map((key) => [`*.${key}`, timestamp]),
  ),
};

function arbitraryOf(schema: z.ZodType, path = ''): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodNullable) {
    return fc.option(arbitraryOf(schema.unwrap() as z.ZodType, path), { freq: 2 });
  }
  if (schema instanceof z.ZodArray) {
    const element = arbitraryOf(schema.element as z.ZodType, path);
    return schema.meta()?.uniqueItems
      ? fc.uniqueArray(element, { maxLength: 4 })
      : fc.array(element, { maxLength: 2 });
  }
  const own = OWN[path] ?? OWN[`*${path.slice(path.lastIndexOf('.'))}`];
  if (own && path !== '') return own;
  if (path === 'geo') return arbitraryGeo(schema as z.ZodObject);
  if (schema instanceof z.ZodObject) return recordOf(schema, path);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodUnion) return localizedText;
  if (schema instanceof z.ZodNumber) {
    const { minValue: least, maxValue: most, isInt } = schema;
    if (isInt) return fc.integer({ min: Math.max(0, least ?? 0), max: most ?? 500 });
    return most !== null && Number.isFinite(most) ? numberTo(most) : anyAmount;
  }
  if (schema instanceof z.ZodString) return awkwardText;
  throw new Error(`${path}: no values are known of ${schema.type}`);
}

function recordOf({ shape }: z.ZodObject, path: string): fc.Arbitrary<Record<string, unknown>> {
  const members = Object.entries(shape).map(([key, schema]) => [
    key,
    arbitraryOf(schema as z.ZodType, path === '' ? key : `${path}.${key}`),
  ]);
  return fc.record(Object.fromEntries(members));
}

/** Mostly shown, and no slug twice. */
function arbitraryGeo({ shape }: z.ZodObject): fc.Arbitrary<unknown> {
  const location = recordOf(shape.main as z.ZodObject, 'geo.main');
  return fc
    .record({
      displayAddress: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.boolean()),
      main: location,
      rentalPoints: fc.uniqueArray(location, { maxLength: 5, selector: ({ slug }) => slug }),
    })
    .map(({ rentalPoints, ...rest }) => ({
      ...rest,
      rentalPoints: rentalPoints.filter(({ slug }) => slug !== rest.main.slug),
    }));
}

export const randomStore = arbitraryOf(sourceStoreSchema) as fc.Arbitrary<SourceStore>;

/** Stores of distinct ids (in any case) and slugs, as they come out of JSON, keys in either order. */
export const randomStores: fc.Arbitrary<SourceStore[]> = fc
  .uniqueArray(fc.tuple(randomStore, fc.boolean()), {
    maxLength: 30,
    size: 'max',
    comparator: ([a], [b]) => a.id.toLowerCase() === b.id.toLowerCase() || a.slug === b.slug,
  })
  .map((entries) =>
    entries.map(([store, reversed]) =>
      JSON.parse(JSON.stringify(reversed ? reverseKeys(store) : store)),
    ),
  );
