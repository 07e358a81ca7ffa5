/** Addresses and geographic points, as the contract's StoreLocation has them. */
import { z } from 'zod';

export const pointSchema = z.strictObject({
  lat: z.number().min(-90).max(90).describe('Latitude in degrees.'),
  lng: z.number().min(-180).max(180).describe('Longitude in degrees.'),
});

export const addressComponentsSchema = z
  .strictObject({
    streetNumber: z.string(),
    street: z.string(),
    postalCode: z.string(),
    city: z.string(),
    administrativeAreaLevel1: z.string().describe('State or province.'),
    administrativeAreaLevel2: z.string().describe('County or district.'),
    country: z.string(),
  })
  .meta({ id: 'AddressComponents' });

export const storeLocationSchema = z
  .strictObject({
    id: z.string().describe('Identifier of the location.'),
    name: z.string(),
    slug: z.string().min(1).describe('Slug, used in the public page URL of the location.'),
    address: z.string().describe('Full address on one line.'),
    placeId: z.string().describe('Place identifier of a map provider.'),
    components: addressComponentsSchema,
    canonicalComponents: addressComponentsSchema.describe('Address parts normalized in English.'),
    point: pointSchema,
  })
  .meta({ id: 'StoreLocation' });

const addressPart = z.string().describe('Empty when there is none.');

/** The deprecated top-level address parts: the components of the queried location and its place id. */
export const deprecatedAddressComponentsSchema = z.strictObject({
  administrativeAreaLevel1: addressPart,
  administrativeAreaLevel2: addressPart,
  city: addressPart,
  country: addressPart,
  placeId: addressPart,
  postalCode: addressPart,
  street: addressPart,
  streetNumber: addressPart,
});

export type Point = z.infer<typeof pointSchema>;
export type StoreLocation = z.infer<typeof storeLocationSchema>;
export type DeprecatedAddressComponents = z.infer<typeof deprecatedAddressComponentsSchema>;
