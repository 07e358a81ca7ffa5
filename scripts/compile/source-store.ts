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
  )
  .refine((map) => Object.keys(map).length > 0, {
    error: 'expected at least one language',
    params: { kind: 'empty_language_map' },
  })
  .meta({ minProperties: 1 });

/** Texts by language. */
export type LanguageMap = z.infer<typeof languageMapSchema>;

const localizedTextSchema = z.union([z.string(), languageMapSchema]);

const slugSchema = z
  .string()
  .regex(/^[^\s/\\?#]+$/, 'expected one URL path segment: no white space, "/", "\\", "?" or "#"')
  .refine((slug) => slug !== '.' && slug !== '..', 'expected a slug that is no path step')
  .refine((slug) => !/\p{Cf}/u.test(slug), 'expected a slug without invisible characters')
  .refine((slug) => slug.isWellFormed(), 'expected a slug without half of a surrogate pair')
  .refine((slug) => slug === slug.normalize(), {
    error: 'expected Unicode NFC, in which é is one character: text.normalize() in JavaScript',
  })
  .meta({ not: { enum: ['.', '..'] } });

const sourceLocationSchema = storeLocationSchema
  .extend({
    name: localizedTextSchema.describe('Name of the location.'),
    slug: slugSchema.describe(
      'Part of the URL of its page; no other location of the store has it.',
    ),
  })
  .meta({ id: 'SourceLocation', description: 'A location of the store.' });

/** Yields the index of every text of `values` that occurs earlier, and where it does for the first time. */
function* repeatsIn(values: readonly unknown[]) {
  const seen = new Map<unknown, number>();
  for (const [index, value] of values.entries()) {
    const first = seen.get(value);
    if (first !== undefined) yield { index, first };
    else if (typeof value === 'string') seen.set(value, index);
  }
}

/** Returns the schema of an array of `words`, each at most once. */
function setOf<Word extends z.ZodType>(words: Word, description: string) {
  const set = z.array(words).superRefine(
    (values, context) => {
      for (const { index, first } of repeatsIn(values)) {
        const message = `expected no repetition: it stands already at ${first}`;
        context.addIssue({ code: 'custom', path: [index], message });
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
      for (const { index, first } of repeatsIn(slugs)) {
        const holder = first === 0 ? 'main' : `rentalPoints.${first - 1}`;
        context.addIssue({
          code: 'custom',
          path: ['rentalPoints', index - 1, 'slug'],
          message: `expected a slug of its own: ${holder} has it already`,
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
    error: ({ input }) => {
      const { available } = input as { available: readonly string[] };
      return available.length === 0
        ? 'expected localization.available to have it, which is empty'
        : `expected one of the available languages: ${available.join(', ')}`;
    },
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

/** Returns what to write in the place of `name`, which is none of the names. */
function timeZoneAdvice(name: string): string {
  const fold = (text: string) => text.trim().replaceAll(' ', '_').toLowerCase();
  const meant = [...TIME_ZONES].find((zone) => fold(zone) === fold(name));
  return meant === undefined
    ? 'expected a name of the IANA time zone database, such as Europe/Paris'
    : `expected ${meant}, as the IANA time zone database spells it`;
}

function currencyAdvice(code: string): string {
  const meant = code.trim().toUpperCase();
  if (CURRENCIES.has(meant)) return `expected ${meant}, in capitals and alone`;
  if (/^X(?:TS|XX)$/.test(meant))
    return 'expected the code of a currency, such as EUR: XTS is for tests, XXX for none';
  return 'expected the code of a currency that ISO 4217 lists as active, such as EUR';
}

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
      not: { pattern: '^([0-9a-fA-F]{24}|\\.{1,2})$' },
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
        error: ({ input }) => timeZoneAdvice(String(input)),
        params: { kind: 'unknown_time_zone' },
      })
      .describe('IANA time zone name, such as `Europe/Paris`; opening hours are in this zone.'),
  }),
  pricing: extended(storePricingSchema, {
    currency: extended(storePricingSchema.shape.currency, {
      isoCode: z
        .string()
        .refine((code) => CURRENCIES.has(code), {
          error: ({ input }) => currencyAdvice(String(input)),
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
