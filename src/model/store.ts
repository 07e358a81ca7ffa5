/**
 * The store as partners receive it: every field of the contract, in contract order.
 *
 * The order of keys here is the order of keys in every answer; the legal `fields`, the OpenAPI
 * document and the slots of a compiled record are read off this schema.
 */
import { z } from 'zod';
import { storeBookingSchema } from './booking.ts';
import { languageSchema, verticaleSchema } from './enumerations.ts';
import { linkSchema, webUrlSchema } from './link.ts';
import { deprecatedAddressComponentsSchema, storeLocationSchema } from './location.ts';
import { storeModulesSchema } from './modules.ts';
import { storePricingSchema } from './pricing.ts';
import { storeTemporalSchema } from './temporal.ts';
import { timestampSchema } from './timestamp.ts';

export const ID_PATTERN = /^[0-9a-f]{24}$/i;

const profileUrlSchema = linkSchema.nullable();

export const storeProfileSchema = z
  .strictObject({
    name: z.string().describe('Name of the store.'),
    description: z.string().describe('In the requested language, falling back to French.'),
    verticales: z.array(verticaleSchema).describe('Sectors of activity.'),
  })
  .meta({ id: 'StoreProfile' });

export const storeLocalizationSchema = z
  .strictObject({
    current: languageSchema.describe('Language used in this response.'),
    default: languageSchema.describe('Default language of the store.'),
    available: z.array(languageSchema).describe('Languages available for the store.'),
  })
  .meta({ id: 'StoreLocalization' });

const storeContactSchema = z
  .strictObject({
    socialMedia: z.strictObject({
      socialA: profileUrlSchema.describe('General social network.'),
      socialB: profileUrlSchema.describe('Microblogging network.'),
      socialC: profileUrlSchema.describe('Photo-sharing network.'),
      socialD: profileUrlSchema.describe('Professional network.'),
      socialE: profileUrlSchema.describe('Short-video network.'),
    }),
  })
  .meta({ id: 'StoreContact' });

const storeBrandingSchema = z
  .strictObject({
    logoURL: linkSchema.describe('Logo; empty when there is none.'),
    banners: z.strictObject({
      urls: z.array(linkSchema).describe('Banner images in the order in which they are shown.'),
      scrollTime: z
        .number()
        .min(0)
        // An hour, should the unit be milliseconds.
        .max(3_600_000)
        .describe('Display time of each banner before moving to the next.'),
    }),
  })
  .meta({ id: 'StoreBranding' });

const storeGeoSchema = z
  .strictObject({
    location: storeLocationSchema
      .nullable()
      .describe('The queried location, or the main one; null when address display is disabled.'),
    locations: z
      .array(storeLocationSchema)
      .nullable()
      .describe('Rental point locations; null when none exist or address display is disabled.'),
  })
  .meta({ id: 'StoreGeo' });

const ratingSchema = z.number().min(0).max(5);

const storeReviewsSchema = z
  .strictObject({
    external: z
      .strictObject({
        rating: ratingSchema.describe('Out of 5.'),
        total: z.number().min(0).describe('Number of reviews there.'),
        placeId: z
          .string()
          .describe('Place identifier of a map provider; empty when address display is disabled.'),
        reviews: z
          .array(
            z.strictObject({
              author: z.strictObject({
                name: z.string().describe('Who wrote the review.'),
                profilePictureUrl: linkSchema.describe('Picture of the author; may be empty.'),
              }),
              comment: z.string().describe('Text of the review; may be empty.'),
              rating: ratingSchema.describe('Out of 5.'),
              publishTime: timestampSchema.describe('When the review was published.'),
            }),
          )
          .describe('Some of the reviews.'),
        mapsUrl: linkSchema.describe(
          'The place on a map, with its reviews; empty when address display is disabled.',
        ),
        updatedAt: timestampSchema.describe('When rating and reviews were fetched.'),
      })
      .nullable()
      .describe('Reviews on another platform; null when there are none.'),
  })
  .meta({ id: 'StoreReviews' });

const storeMetadataSchema = z
  .strictObject({
    timestamps: z.strictObject({
      createdAt: timestampSchema.describe('When the store was created.'),
    }),
  })
  .meta({ id: 'StoreMetadata' });

/** @param none says which value of the field means that there is none, and when */
const deprecated = (replacement: string, none = '') => ({
  deprecated: true,
  description: `Deprecated, use ${replacement}.${none && ` ${none}`}`,
});

const ZERO_DEGREES = '0 means none when address display is disabled.';
const EMPTY_ADDRESS = 'Empty, which means none, when address display is disabled.';
const EMPTY_PARTS = 'Every part is empty, which means none, when address display is disabled.';
const ZERO_REVIEWS = '0 means none when the store has no external reviews.';

export const storeSchema = z
  .strictObject({
    id: z
      .string()
      .regex(ID_PATTERN, 'expected 24 hexadecimal digits')
      .describe('Unique store identifier, 24 hexadecimal digits.'),
    slug: z.string().min(1).describe('Unique store slug, used in public page URLs.'),
    rentalPointSlug: z
      .string()
      .optional()
      .describe('Rental point the details refer to; absent when it is the main location.'),
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
    pageUrl: webUrlSchema.describe('Public URL of the store page.'),
    distance: z.number().min(0).optional().describe('Kilometres from the queried position.'),
    name: z.string().meta(deprecated('profile.name')),
    logoURL: z.string().meta(deprecated('branding.logoURL')),
    bannerURL: z.array(z.string()).meta(deprecated('branding.banners.urls')),
    currency: z
      .strictObject({ isoName: z.string(), symbol: z.string() })
      .meta(deprecated('pricing.currency')),
    lat: z.number().meta(deprecated('geo.location.point.lat', ZERO_DEGREES)),
    lng: z.number().meta(deprecated('geo.location.point.lng', ZERO_DEGREES)),
    address: z.string().meta(deprecated('geo.location.address', EMPTY_ADDRESS)),
    addressComponents: deprecatedAddressComponentsSchema.meta(
      deprecated('geo.location.components', EMPTY_PARTS),
    ),
    externalRating: z.number().meta(deprecated('reviews.external.rating', ZERO_REVIEWS)),
    externalReviewsNb: z.number().meta(deprecated('reviews.external.total', ZERO_REVIEWS)),
    verticales: z.array(verticaleSchema).meta(deprecated('profile.verticales')),
  })
  .meta({ id: 'Store' });

export type Store = z.infer<typeof storeSchema>;
export type StoreField = keyof Store;

/** The top-level fields of a store in contract order. */
export const STORE_FIELDS = Object.keys(storeSchema.shape) as readonly StoreField[];
