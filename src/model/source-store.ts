/**
 * The store as the export has it: the response store without what can be derived, and with
 * language maps where the response has one language.
 *
 * Faults within one store are found here; faults between stores (duplicate ids and slugs) by
 * `StoreUniqueness`.
 */
import { z } from 'zod';
import { fixedDurationSchema, storeBookingSchema } from './booking.ts';
import { isLanguage, LANGUAGES, type Language } from './enumerations.ts';
import { storeLocationSchema } from './location.ts';
import { storePricingSchema, taxSchema } from './pricing.ts';
import { ID_PATTERN, storeLocalizationSchema, storeProfileSchema, storeSchema } from './store.ts';
import { storeTemporalSchema } from './temporal.ts';
import { isCurrency, isTimeZone } from './world-codes.ts';

/** Texts by language. */
export type LanguageMap = { readonly [language in Language]?: string };

/**
 * At least one text. A record, not an object, because a record keeps the order of keys: the first entry
 * is the last fallback.
 */
export const languageMapSchema = z
  .record(z.string().refine(isLanguage, `expected one of ${LANGUAGES.join(', ')}`), z.string())
  .refine((map) => Object.keys(map).length > 0, {
    error: 'expected at least one language',
    params: { kind: 'empty_language_map' },
  })
  .transform((map) => map as LanguageMap);

const localizedTextSchema = z.union([z.string(), languageMapSchema]);

const slugSchema = z
  .string()
  .regex(/^[^\s/?#]+$/, 'expected one URL path segment: no white space, "/", "?" or "#"')
  .refine((slug) => slug !== '.' && slug !== '..', 'expected a slug that is no path step')
  .refine((slug) => slug.isWellFormed(), 'expected a slug without half of a surrogate pair');

const sourceLocationSchema = storeLocationSchema.extend({
  name: localizedTextSchema,
  slug: slugSchema,
});

/**
 * Rules between fields run even where single fields are faulty (zod would skip them), so that one
 * look at a report shows everything: they see values of any type and judge only legible ones.
 */
type Unchecked<T> = { readonly [key in keyof T]?: unknown } | null | undefined;

const rentalPointsSchema = z.array(sourceLocationSchema).superRefine(
  (rentalPoints, context) => {
    const seen = new Map<string, number>();
    rentalPoints.forEach((rentalPoint: Unchecked<{ slug: string }>, index) => {
      const slug = rentalPoint?.slug;
      if (typeof slug !== 'string') return;
      const first = seen.get(slug);
      if (first === undefined) seen.set(slug, index);
      else {
        context.addIssue({
          code: 'custom',
          path: [index, 'slug'],
          input: slug,
          message: `expected a slug of its own: rentalPoints.${first} has it already`,
          params: { kind: 'duplicate_rental_point_slug' },
        });
      }
    });
  },
  { when: ({ value }) => Array.isArray(value) },
);

const sourceLocalizationSchema = storeLocalizationSchema.omit({ current: true }).superRefine(
  (localization, context) => {
    const { default: language, available } = localization;
    if (available.includes(language)) return;
    context.addIssue({
      code: 'custom',
      path: ['default'],
      input: language,
      message: `expected one of the available languages: ${available.join(', ')}`,
      params: { kind: 'default_language_unavailable' },
    });
  },
  {
    when: ({ value }) => {
      const localization = value as Unchecked<{ default: Language; available: Language[] }>;
      return isLanguage(String(localization?.default)) && Array.isArray(localization?.available);
    },
  },
);

const pageUrlSchema = storeSchema.shape.pageUrl.refine(
  (text) => URL.canParse(text),
  'expected an absolute URL',
);

export const sourceStoreSchema = z.strictObject({
  id: storeSchema.shape.id,
  slug: slugSchema.refine((slug) => !ID_PATTERN.test(slug), {
    error: 'a slug must not look like an id (24 hexadecimal digits)',
    params: { kind: 'slug_looks_like_id' },
  }),
  profile: storeProfileSchema.extend({ description: languageMapSchema }),
  localization: sourceLocalizationSchema,
  contact: storeSchema.shape.contact,
  branding: storeSchema.shape.branding,
  geo: z.strictObject({
    displayAddress: z.boolean(),
    main: sourceLocationSchema,
    rentalPoints: rentalPointsSchema,
  }),
  modules: storeSchema.shape.modules,
  reviews: storeSchema.shape.reviews,
  temporal: storeTemporalSchema.extend({
    timezone: z.string().refine(isTimeZone, {
      error: 'expected an IANA time zone name',
      params: { kind: 'unknown_time_zone' },
    }),
  }),
  pricing: storePricingSchema.extend({
    currency: storePricingSchema.shape.currency.extend({
      isoCode: z.string().refine(isCurrency, {
        error: 'expected an ISO 4217 currency code',
        params: { kind: 'unknown_currency' },
      }),
    }),
    tax: taxSchema.extend({ name: localizedTextSchema }),
  }),
  booking: storeBookingSchema.extend({
    fixedDurations: storeBookingSchema.shape.fixedDurations.extend({
      durations: z.array(fixedDurationSchema.extend({ label: localizedTextSchema })),
    }),
  }),
  metadata: storeSchema.shape.metadata,
  pageUrl: pageUrlSchema,
});

export type SourceStore = z.infer<typeof sourceStoreSchema>;
export type SourceLocation = SourceStore['geo']['main'];
export type LocalizedText = z.infer<typeof localizedTextSchema>;
