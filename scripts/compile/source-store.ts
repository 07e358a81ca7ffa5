/**
 * The store as the export has it: the response store without what can be derived, and with
 * language maps where the response has one language.
 *
 * zod would skip rules between fields where a single field is faulty; ours run nevertheless (`when`), so
 * that one report has all faults. So they may meet values of any type, and skip values of a wrong one.
 *
 * Faults within one store are found here; faults between stores (duplicate ids and slugs) by
 * `validateSource`.
 */
import tzdata from 'tzdata' with { type: 'json' };
import * as z from 'zod';
import { storeBookingSchema } from '../../src/model/booking.ts';
import { isLanguage, LANGUAGES } from '../../src/model/enumerations.ts';
import { WEB_URL } from '../../src/model/link.ts';
import { storeLocationSchema } from '../../src/model/location.ts';
import { storePricingSchema } from '../../src/model/pricing.ts';
import { CURRENCIES } from '../../src/model/settings.ts';
import {
  ID_PATTERN,
  storeLocalizationSchema,
  storeProfileSchema,
  storeSchema,
} from '../../src/model/store.ts';
import { storeTemporalSchema } from '../../src/model/temporal.ts';
import { languageSchema, verticaleSchema } from '../../src/model/word-schemas.ts';

/**
 * At least one text. The schema is a record and not an object because a record keeps the order of
 * keys: the first entry is read when no better language is there.
 */
const languageMapSchema = z
  .partialRecord(
    z
      .string()
      .refine(isLanguage, {
        error: `expected one of ${LANGUAGES.join(', ')}`,
        params: { kind: 'unknown_language' },
      })
      .meta({ enum: [...LANGUAGES] }),
    z.string(),
    'expected a language map',
  )
  .refine((map) => Object.keys(map).length > 0, {
    error: 'expected at least one language',
    params: { kind: 'empty_language_map' },
  })
  .meta({ minProperties: 1 });

/** Texts by language. */
export type LanguageMap = z.infer<typeof languageMapSchema>;

const localizedTextSchema = z.union(
  [z.string(), languageMapSchema],
  'expected a string or a language map',
);

const slugSchema = z
  .string()
  .regex(
    /^(?!\.{1,2}$)[^\s/\\?#\p{Cf}]+$/u,
    'expected one URL path segment: no white space, "/", "\\", "?", "#" or invisible character, and neither "." nor ".."',
  )
  .refine((slug) => slug === slug.normalize(), {
    error: 'expected Unicode NFC, in which é is one character: text.normalize() in JavaScript',
  });

const sourceLocationSchema = storeLocationSchema
  .extend({
    name: localizedTextSchema.describe('Name of the location.'),
    slug: slugSchema.describe(
      'Part of the URL of its page; no other location of the store has it.',
    ),
  })
  .meta({ id: 'SourceLocation', description: 'A location of the store.' });

/** Yields the index of every text of `values` that occurs earlier. */
function* repeatsIn(values: readonly unknown[]): Generator<number> {
  const seen = new Set<unknown>();
  for (const [index, value] of values.entries()) {
    if (typeof value === 'string' && seen.has(value)) yield index;
    seen.add(value);
  }
}

/** Returns the schema of an array of `words`, each at most once. */
function setOf<Word extends z.ZodType>(words: Word, description: string) {
  const set = z.array(words).superRefine(
    (values, context) => {
      for (const index of repeatsIn(values)) {
        context.addIssue({ code: 'custom', path: [index], message: 'expected no repetition' });
      }
    },
    { when: ({ value }) => Array.isArray(value) },
  );
  return set.meta({ uniqueItems: true, description });
}

/** No two locations, the main one included, have one slug: they would share the URL of their page. */
const sourceGeoSchema = z
  .strictObject({
    displayAddress: z
      .boolean()
      .describe('Whether partners see where the store is. If not, nothing of `geo` is published.'),
    main: sourceLocationSchema.describe('The main location of the store.'),
    rentalPoints: z
      .array(sourceLocationSchema)
      .describe('Further places where one can rent. Empty when there are none.'),
  })
  .superRefine(
    ({ main, rentalPoints }, context) => {
      const slugs = [main, ...rentalPoints].map((location): unknown => Object(location).slug);
      for (const index of repeatsIn(slugs)) {
        context.addIssue({
          code: 'custom',
          path: ['rentalPoints', index - 1, 'slug'],
          message: 'expected a slug of its own: another location has it',
          params: { kind: 'duplicate_rental_point_slug' },
        });
      }
    },
    {
      when: ({ value }) => Array.isArray(Object(value).rentalPoints),
    },
  );

const sourceLocalizationSchema = storeLocalizationSchema
  .omit({ current: true })
  .extend({ available: setOf(languageSchema, 'Languages that the store has.') })
  .refine(({ default: language, available }) => available.includes(language), {
    error: 'expected a language of localization.available',
    path: ['default'],
    params: { kind: 'default_language_unavailable' },
    when: ({ value }) => {
      const { default: language, available } = Object(value);
      return isLanguage(String(language)) && Array.isArray(available);
    },
  });

const { fixedDurations: fixedDurationsSchema } = storeBookingSchema.shape;

/** Returns the schema of an object with some of its fields in another form; what it is stays the same. */
function extended<Shape extends z.core.$ZodShape, Fields extends z.core.$ZodShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  fields: Fields,
) {
  return schema.extend(fields).describe(schema.description ?? '');
}

/** `Factory` is the database's word for a clock that is not set. */
const { Factory: _, ...zones } = tzdata.zones;

/**
 * Time zones by the names of the IANA database, zones and links, which `Intl` knows in any case and mixes with
 * abbreviations.
 */
export const TIME_ZONES: ReadonlySet<string> = new Set(Object.keys(zones));

export const sourceStoreSchema = z.strictObject({
  id: storeSchema.shape.id.meta({
    pattern: '^[0-9a-fA-F]{24}$',
    description: 'Unique, whatever the case of its letters: 24 hexadecimal digits.',
  }),
  slug: slugSchema
    .refine((slug) => !ID_PATTERN.test(slug), {
      error: 'a slug must not look like an id (24 hexadecimal digits)',
      params: { kind: 'slug_looks_like_id' },
    })
    .meta({
      not: { pattern: '^[0-9a-fA-F]{24}$' },
      description: 'Unique; part of the URL of its page. Nothing that could be an id.',
    }),
  profile: extended(storeProfileSchema, {
    description: languageMapSchema.describe(
      'How the store describes itself, in each language that it has a text in.',
    ),
    verticales: setOf(
      verticaleSchema,
      'Sectors of activity: the kinds of goods that the store rents out. May be empty.',
    ),
  }),
  localization: sourceLocalizationSchema.describe('Languages.'),
  contact: storeSchema.shape.contact,
  branding: storeSchema.shape.branding,
  geo: sourceGeoSchema.describe('Locations.'),
  modules: storeSchema.shape.modules,
  reviews: storeSchema.shape.reviews,
  temporal: extended(storeTemporalSchema, {
    timezone: z
      .string()
      .refine((name) => TIME_ZONES.has(name), {
        error:
          'expected a name of the IANA time zone database in its spelling, such as Europe/Paris',
        params: { kind: 'unknown_time_zone' },
      })
      .describe('IANA time zone name, such as `Europe/Paris`; opening hours are in this zone.'),
  }),
  pricing: extended(storePricingSchema, {
    currency: extended(storePricingSchema.shape.currency, {
      isoCode: z
        .string()
        .refine((code) => CURRENCIES.has(code), {
          error: 'expected the code of a currency that ISO 4217 lists as active, such as EUR',
          params: { kind: 'unknown_currency' },
        })
        .meta({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code, such as `EUR`.' }),
    }),
    tax: extended(storePricingSchema.shape.tax, {
      name: localizedTextSchema.describe('Name of the tax, such as VAT.'),
    }),
  }),
  booking: extended(storeBookingSchema, {
    fixedDurations: extended(fixedDurationsSchema, {
      durations: z
        .array(
          fixedDurationsSchema.shape.durations.element.extend({
            label: localizedTextSchema.describe('The duration as customers read it.'),
          }),
        )
        .describe(fixedDurationsSchema.shape.durations.description ?? ''),
    }),
  }),
  metadata: storeSchema.shape.metadata,
  pageUrl: storeSchema.shape.pageUrl.meta({
    pattern: WEB_URL.source,
    description: 'Public URL of the store page, one for all languages.',
  }),
});

export type SourceStore = z.infer<typeof sourceStoreSchema>;
export type SourceLocation = SourceStore['geo']['main'];
export type LocalizedText = z.infer<typeof localizedTextSchema>;
