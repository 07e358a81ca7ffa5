/** Addresses and geographic points, as the contract's StoreLocation has them. */
import * as z from 'zod';

const pointSchema = z.strictObject({
  lat: z.number().min(-90).max(90).describe('Latitude in degrees, positive to the north.'),
  lng: z.number().min(-180).max(180).describe('Longitude in degrees, positive to the east.'),
});

const addressComponentsSchema = z
  .strictObject({
    streetNumber: z.string().describe('House number; empty when there is none.'),
    street: z.string().describe('Street; empty when there is none.'),
    postalCode: z.string().describe('Postal code; empty when there is none.'),
    city: z.string().describe('City; empty when there is none.'),
    administrativeAreaLevel1: z.string().describe('State or province; empty when there is none.'),
    administrativeAreaLevel2: z.string().describe('County or district; empty when there is none.'),
    country: z.string().describe('Country; empty when there is none.'),
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

/** @param twin path, below `geo.location`, of the field that has taken this one's place */
const addressPart = (twin: string) =>
  z.string().meta({
    deprecated: true,
    description: `Deprecated, use \`geo.location.${twin}\`. Empty when there is none, or when the store hides its address.`,
  });

/** The deprecated top-level address parts: the components of the queried location and its place id. */
export const deprecatedAddressComponentsSchema = z.strictObject({
  administrativeAreaLevel1: addressPart('components.administrativeAreaLevel1'),
  administrativeAreaLevel2: addressPart('components.administrativeAreaLevel2'),
  city: addressPart('components.city'),
  country: addressPart('components.country'),
  placeId: addressPart('placeId'),
  postalCode: addressPart('components.postalCode'),
  street: addressPart('components.street'),
  streetNumber: addressPart('components.streetNumber'),
});

export type Point = z.infer<typeof pointSchema>;
export type StoreLocation = z.infer<typeof storeLocationSchema>;
export type DeprecatedAddressComponents = z.infer<typeof deprecatedAddressComponentsSchema>;
