/** Arbitrary small exports: every field of a source store, with values that are awkward on purpose. */
import fc from 'fast-check';
import type { SourceLocation, SourceStore } from '../../../scripts/compile/source-store.ts';
import { ID_PATTERN } from '../../../src/model/store.ts';
import { booking, external, few, modules, pricing, temporal } from './random-settings.ts';
import {
  anyPoint,
  awkwardName,
  awkwardSlug,
  awkwardText,
  descriptionText,
  language,
  languageMap,
  localizedText,
  numberTo,
  timestamp,
  verticale,
} from './random-values.ts';

const text = awkwardText;
const flag = fc.boolean();

const components = fc.record({
  streetNumber: text,
  street: text,
  postalCode: text,
  city: text,
  administrativeAreaLevel1: text,
  administrativeAreaLevel2: text,
  country: text,
});

const location: fc.Arbitrary<SourceLocation> = fc.record({
  id: text,
  name: localizedText,
  slug: awkwardSlug,
  address: text,
  placeId: text,
  components,
  canonicalComponents: components,
  point: anyPoint,
});

const geo = fc
  .record({
    displayAddress: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, flag),
    main: location,
    rentalPoints: fc.uniqueArray(location, { maxLength: 5, selector: ({ slug }) => slug }),
  })
  .map(({ rentalPoints, ...rest }) => ({
    ...rest,
    rentalPoints: rentalPoints.filter(({ slug }) => slug !== rest.main.slug),
  }));

/** Hexadecimal in either case; half of them differ in the last digits only. */
const id = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 24, maxLength: 24 }),
  fc
    .string({ unit: fc.constantFrom(...'09afAF'), minLength: 2, maxLength: 2 })
    .map((end) => `65fFe0Aa00000000000000${end}`),
);

const pageUrl = fc.constantFrom(
  ...['https://shop.test', 'https://shop.test/é?', 'https://shop.test/a?utm_source=old&b=1#part'],
  ...['https://shop.test/?q=%20+x&utm_sourced=1', 'https://shop.test/#?utm_source=fragment'],
  ...['https://shop.test/?UTM_SOURCE=1&utm%5Fmedium=old', 'https://shop.test/?x="#"\\u0041'],
);

const localization = fc
  .tuple(fc.uniqueArray(language, { minLength: 1 }), fc.nat())
  .map(([available, pick]) => ({
    default: available[pick % available.length] ?? 'fr',
    available,
  }));

const social = fc.option(text);

export const randomStore: fc.Arbitrary<SourceStore> = fc.record({
  id,
  slug: awkwardSlug.filter((slug) => !ID_PATTERN.test(slug)),
  profile: fc.record({
    name: awkwardName,
    description: languageMap(descriptionText),
    verticales: fc.uniqueArray(verticale, { maxLength: 4 }),
  }),
  localization,
  contact: fc.record({
    socialMedia: fc.record({
      socialA: social,
      socialB: social,
      socialC: social,
      socialD: social,
      socialE: social,
    }),
  }),
  branding: fc.record({
    logoURL: text,
    banners: fc.record({ urls: few(text), scrollTime: numberTo(3_600_000) }),
  }),
  geo,
  modules,
  reviews: fc.record({ external: fc.option(external, { freq: 2 }) }),
  temporal,
  pricing,
  booking,
  metadata: fc.record({ timestamps: fc.record({ createdAt: timestamp }) }),
  pageUrl,
});

/** Stores of distinct ids (in any case) and slugs, as they come out of JSON, keys in either order. */
export const randomStores: fc.Arbitrary<SourceStore[]> = fc
  .uniqueArray(fc.tuple(randomStore, flag), {
    maxLength: 30,
    size: 'max',
    comparator: ([a], [b]) => a.id.toLowerCase() === b.id.toLowerCase() || a.slug === b.slug,
  })
  .map((entries) =>
    entries.map(([store, reversed]) =>
      JSON.parse(JSON.stringify(reversed ? reverseKeys(store) : store)),
    ),
  );

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, reverseKeys(inner)] as const);
  return Object.fromEntries(entries.reverse());
}
