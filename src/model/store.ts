/**
 * The store as partners receive it: every field of the contract, in contract order.
 *
 * The order of keys here is the order of keys in every answer; the legal `fields`, the OpenAPI
 * document and the slots of a compiled record are read off this schema.
 */
import * as z from 'zod';
import { storeBookingSchema } from './booking.ts';
import { linkSchema, webUrlSchema } from './link.ts';
import { deprecatedAddressComponentsSchema, storeLocationSchema } from './location.ts';
import { storeModulesSchema } from './modules.ts';
import { storePricingSchema } from './pricing.ts';
import { storeTemporalSchema } from './temporal.ts';
import { timestampSchema } from './timestamp.ts';
import { languageSchema, verticaleSchema } from './word-schemas.ts';

export const ID_PATTERN = /^[0-9a-fA-F]{24}$/;

/** Fields that every answer has, but with values that depend on the request, as optional fields do. */
export const DEPENDS_ON_REQUEST = z.registry();

/** Builds the schema of a profile's URL. @param network kind of social network, in words */
const profileUrl = (network: string) =>
  linkSchema
    .nullable()
    .describe(
      `URL of the store's profile on a ${network} network. Null or empty when there is none.`,
    );

export const storeProfileSchema = z
  .strictObject({
    name: z.string().describe('Name of the store.'),
    description: z
      .string()
      .describe(
        'How the store describes itself, in the language that `localization.current` names. May be empty.',
      ),
    verticales: z
      .array(verticaleSchema)
      .describe(
        'Sectors of activity: the kinds of goods that the store rents out. The filters `verticale.…` compare these. May be empty.',
      ),
  })
  .meta({ id: 'StoreProfile', description: 'General profile.' });

export const storeLocalizationSchema = z
  .strictObject({
    current: languageSchema.describe('Language used in this answer.').register(DEPENDS_ON_REQUEST),
    default: languageSchema.describe('Default language of the store.'),
    available: z.array(languageSchema).describe('Languages available for the store.'),
  })
  .meta({ id: 'StoreLocalization', description: 'Languages.' });

const storeContactSchema = z
  .strictObject({
    socialMedia: z
      .strictObject({
        socialA: profileUrl('general social'),
        socialB: profileUrl('microblogging'),
        socialC: profileUrl('photo-sharing'),
        socialD: profileUrl('professional'),
        socialE: profileUrl('short-video'),
      })
      .describe(
        'Profiles of the store on five kinds of social networks: general (`socialA`), microblogging (`socialB`), photo-sharing (`socialC`), professional (`socialD`) and short-video (`socialE`).',
      ),
  })
  .meta({ id: 'StoreContact', description: 'Contact data.' });

const bannersSchema = z.strictObject({
  urls: z
    .array(linkSchema)
    .describe('Banner images in the order in which they are shown. Empty when there are none.'),
  scrollTime: z
    .number()
    .min(0)
    // An hour, should the unit be milliseconds.
    .max(3_600_000)
    .describe(
      'How long each banner is shown before the next one. The rental application defines neither the unit nor the meaning of 0.',
    ),
});

const storeBrandingSchema = z
  .strictObject({
    logoURL: linkSchema.describe('URL of the logo. Empty when there is none.'),
    banners: bannersSchema.describe('Banner images.'),
  })
  .meta({ id: 'StoreBranding', description: 'Logo and banners.' });

const storeGeoSchema = z
  .strictObject({
    location: storeLocationSchema
      .nullable()
      .describe(
        'The location that is shown: with a position or a delivery point the nearest one; with `bbox` the main location if that lies inside, else the first rental point inside; with `rentalPointSlug` the rental point of that slug. Otherwise it is the main location. Null when the store hides its address.',
      ),
    locations: z
      .array(storeLocationSchema)
      .nullable()
      .describe(
        'All rental points, without the main location. Null when there are none, or when the store hides its address.',
      ),
  })
  .meta({ id: 'StoreGeo', description: 'Locations.' });

const ratingSchema = z.number().min(0).max(5);

const externalReviewSchema = z.strictObject({
  author: z
    .strictObject({
      name: z.string().describe('Name of the author; may be empty.'),
      profilePictureUrl: linkSchema.describe('URL of a picture of the author; may be empty.'),
    })
    .describe('Who wrote the review.'),
  comment: z.string().describe('Text of the review; may be empty.'),
  rating: ratingSchema.describe('Stars, out of 5.'),
  publishTime: timestampSchema.describe('When the review was published.'),
});

const externalReviewsSchema = z.strictObject({
  rating: ratingSchema.describe('Average rating, out of 5.'),
  total: z.number().min(0).describe('Number of reviews on the platform.'),
  placeId: z
    .string()
    .describe('Place identifier of a map provider. Empty when the store hides its address.'),
  reviews: z
    .array(externalReviewSchema)
    .describe('Single reviews; there may be fewer than `total`, or none.'),
  mapsUrl: linkSchema.describe(
    'URL of the place on a map, with its reviews. Empty when the store hides its address.',
  ),
  updatedAt: timestampSchema.describe('When rating and reviews were last updated.'),
});

const storeReviewsSchema = z
  .strictObject({
    external: externalReviewsSchema
      .nullable()
      .describe('Reviews on an external platform. Null when there are none.'),
  })
  .meta({ id: 'StoreReviews', description: 'Reviews from an external platform.' });

const storeMetadataSchema = z
  .strictObject({
    timestamps: z
      .strictObject({ createdAt: timestampSchema.describe('When the store was created.') })
      .describe('Points in time.'),
  })
  .meta({ id: 'StoreMetadata', description: 'Technical metadata.' });

export const storeOpeningSchema = z
  .strictObject({
    at: timestampSchema.describe('The instant that `at` asked about, in UTC.'),
    isOpen: z.boolean().describe('Whether the store is open then.'),
    nextChange: timestampSchema
      .nullable()
      .describe(
        'When the store closes or, if it is closed, opens: the first instant after `at` at which it is otherwise, in UTC. Null when there is none within 192 hours.',
      ),
  })
  .meta({ id: 'StoreOpening', description: 'Whether the store is open at an instant.' });

export type StoreOpening = z.infer<typeof storeOpeningSchema>;

/**
 * Returns the words about a deprecated field.
 * @param twin path of its replacement
 * @param none which value of the field means that there is none, and when
 */
const deprecated = (twin: string, none: string) => ({
  deprecated: true,
  description: `Deprecated, use \`${twin}\`. ${none}`,
});

const ZERO_DEGREES =
  '0 means none when the store hides its address: `geo.location` is null then. A store at 0 degrees has a `geo.location`.';
const ZERO_REVIEWS =
  '0 means none when the store has no external reviews. `reviews.external` is null then.';

const deprecatedCurrencySchema = z.strictObject({
  isoName: z.string().meta(deprecated('pricing.currency.isoCode', 'Never empty.')),
  symbol: z
    .string()
    .meta(deprecated('pricing.currency.symbol', 'Empty only when the symbol is empty.')),
});

/** Fields that requests add: no record has them. */
const requestedFields = {
  distance: z
    .number()
    .min(0)
    .optional()
    .describe(
      'Kilometres from the queried position or delivery point to `geo.location`, in a straight line, rounded to metres (three decimals). Absent without either.',
    ),
  deliveryPrice: z
    .number()
    .min(0)
    .optional()
    .describe(
      'What the store charges to deliver to the queried delivery point, in its own currency (`pricing.currency`): the price of the first of `modules.delivery.ranges` that holds `distance`, or the special price of the town that was sent. Only the nearest location counts. `modules.delivery.freeDelivery` is yours to apply: the booking decides whether it holds. Without `delivery.postalCode` and `delivery.city` no town is excluded and no special price holds, so send both. Absent without a delivery point.',
    ),
  opening: storeOpeningSchema
    .optional()
    .describe(
      'Whether the store is open at the instant of `at`, by its time zone and schedule, whichever location is queried. Absent without `at`.',
    ),
};

export const storeSchema = z
  .strictObject({
    id: z
      .string()
      .regex(ID_PATTERN, 'expected 24 hexadecimal digits')
      .describe(
        'Unique store identifier: 24 hexadecimal digits. Upper and lower case mean the same.',
      ),
    slug: z
      .string()
      .min(1)
      .describe('Unique store slug, used in public page URLs. Upper and lower case matter.'),
    rentalPointSlug: z
      .string()
      .optional()
      .describe(
        'Slug of the rental point that `geo.location` shows. Absent when that is the main location.',
      ),
    profile: storeProfileSchema,
    localization: storeLocalizationSchema,
    contact: storeContactSchema,
    branding: storeBrandingSchema,
    geo: storeGeoSchema,
    modules: storeModulesSchema,
    reviews: storeReviewsSchema,
    temporal: storeTemporalSchema,
    pricing: storePricingSchema,
    booking: storeBookingSchema,
    metadata: storeMetadataSchema,
    pageUrl: webUrlSchema.describe(
      'Public URL of the store page, the same for every `lang`. The UTM parameters of your token, if it has any, are appended.',
    ),
    ...requestedFields,
    name: z.string().meta(deprecated('profile.name', 'Empty when `profile.name` is empty.')),
    logoURL: z.string().meta(deprecated('branding.logoURL', 'Empty when there is no logo.')),
    bannerURL: z
      .array(z.string())
      .meta(deprecated('branding.banners.urls', 'Empty when there are no banners.')),
    currency: deprecatedCurrencySchema.meta(
      deprecated('pricing.currency', 'Never empty; `isoName` is called `isoCode` there.'),
    ),
    lat: z.number().meta(deprecated('geo.location.point.lat', ZERO_DEGREES)),
    lng: z.number().meta(deprecated('geo.location.point.lng', ZERO_DEGREES)),
    address: z
      .string()
      .meta(
        deprecated(
          'geo.location.address',
          'Empty, which means none, when the store hides its address.',
        ),
      ),
    addressComponents: deprecatedAddressComponentsSchema.meta(
      deprecated(
        'geo.location.components',
        'Every part is empty, which means none, when the store hides its address.',
      ),
    ),
    externalRating: z.number().meta(deprecated('reviews.external.rating', ZERO_REVIEWS)),
    externalReviewsNb: z.number().meta(deprecated('reviews.external.total', ZERO_REVIEWS)),
    verticales: z
      .array(verticaleSchema)
      .meta(deprecated('profile.verticales', 'Empty when the store has none.')),
  })
  .meta({ id: 'Store', description: 'The public profile and settings of a rental business.' });

export type Store = z.infer<typeof storeSchema>;
export type StoreField = keyof Store;

/** The top-level fields of a store in contract order. */
export const STORE_FIELDS = Object.keys(storeSchema.shape) as readonly StoreField[];

const REQUESTED: ReadonlySet<string> = new Set(Object.keys(requestedFields));

type RequestedField = keyof typeof requestedFields;

/** What an answer says in these fields; a field that the request did not ask for is absent. */
export type RequestedValues = Pick<Store, RequestedField>;

/** Returns whether requests add this field. */
export function isRequested(field: StoreField): field is RequestedField {
  return REQUESTED.has(field);
}

/** Returns the schema inside nullables and optionals. */
export function bareSchema(schema: z.ZodType): z.ZodType {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? bareSchema(schema.unwrap() as z.ZodType) : schema;
}
