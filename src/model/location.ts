/** Addresses and geographic points, as the contract's StoreLocation has them. */
import * as z from 'zod';

const pointSchema = z.strictObject({
  lat: z.number().min(-90).max(90).describe('Latitude in degrees, positive to the north.'),
  lng: z.number().min(-180).max(180).describe('Longitude in degrees, positive to the east.'),
});

/** Builds the schema of a part of an address. @param what the part is, in words */
export const addressPart = (what: string) =>
  z.string().describe(`${what}; empty when there is none.`);

const addressComponentsSchema = z
  .strictObject({
    streetNumber: addressPart('House number'),
    street: addressPart('Street'),
    postalCode: addressPart('Postal code'),
    city: addressPart('City'),
    administrativeAreaLevel1: addressPart('State or province'),
    administrativeAreaLevel2: addressPart('County or district'),
    country: addressPart('Country'),
  })
  .meta({ id: 'AddressComponents', description: 'An address in parts.' });

export const storeLocationSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the location.'),
    name: z.string().describe('Name of the location, in the language of the answer.'),
    slug: z
      .string()
      .min(1)
      .describe('Slug, used in the public page URL of the location; unique within the store.'),
    address: z.string().describe('Full address on one line; empty when none is given.'),
    placeId: z.string().describe('Place identifier of a map provider; empty when none is given.'),
    components: addressComponentsSchema.describe('The address in parts.'),
    canonicalComponents: addressComponentsSchema.describe(
      'The address in parts, normalized in English.',
    ),
    point: pointSchema.describe('Geographic point.'),
  })
  .meta({ id: 'StoreLocation', description: 'A place where customers can rent from the store.' });

/** Builds the schema of a deprecated part. @param twin path of its replacement, below `geo.location` */
const deprecatedPart = (twin: string) =>
  z.string().meta({
    deprecated: true,
    description: `Deprecated, use \`geo.location.${twin}\`. Empty when there is none, or when the store hides its address.`,
  });

/** The deprecated top-level address parts: the components of the queried location and its place id. */
export const deprecatedAddressComponentsSchema = z.strictObject({
  administrativeAreaLevel1: deprecatedPart('components.administrativeAreaLevel1'),
  administrativeAreaLevel2: deprecatedPart('components.administrativeAreaLevel2'),
  city: deprecatedPart('components.city'),
  country: deprecatedPart('components.country'),
  placeId: deprecatedPart('placeId'),
  postalCode: deprecatedPart('components.postalCode'),
  street: deprecatedPart('components.street'),
  streetNumber: deprecatedPart('components.streetNumber'),
});

export type Point = z.infer<typeof pointSchema>;
export type StoreLocation = z.infer<typeof storeLocationSchema>;
export type DeprecatedAddressComponents = z.infer<typeof deprecatedAddressComponentsSchema>;
