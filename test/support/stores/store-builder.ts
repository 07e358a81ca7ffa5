/** Small valid stores for tests that care about a field or two: everything else is invented. */

import { type Changes, changeAt, changed } from '../../../fixtures/changed-store.ts';
import { MINIMAL_STORE } from '../../../fixtures/example-stores.ts';
import type { SourceLocation, SourceStore } from '../../../scripts/compile/source-store.ts';

/** The id of store `number`. */
export function storeId(number: number): string {
  return (0xa0_0000_0000 + number).toString(16).padStart(24, '0');
}

/**
 * A valid store, the same for the same `number`, but for `changes`.
 *
 * It is a bike rental in `Town <number>`, near 48° N 7° E, in French and English, without rental
 * points and reviews. Parts that are empty are shared between stores: a test that changes one in
 * place works on a copy.
 */
export function buildStore(number = 1, changes: Changes = {}): SourceStore {
  return changed(MINIMAL_STORE, {
    id: storeId(number),
    slug: `store-${number}`,
    'profile.name': `Store ${number}`,
    'profile.description': { fr: `Magasin ${number}`, en: `Shop ${number}` },
    'profile.verticales': ['BIKE'],
    'localization.available': ['fr', 'en'],
    'branding.logoURL': `https://img.example/${number}/logo.png`,
    'branding.banners.scrollTime': 5,
    'geo.main': buildLocation(`main-${number}`, 48 + number / 1000, 7 + number / 1000),
    'modules.onlinePayment.enabled': true,
    'modules.onlinePayment.methods.card': true,
    'temporal.schedule.openingHours': [
      { id: 'h1', day: '*', from: '09:00', to: '18:00', open: true },
    ],
    'pricing.tax.name': { fr: 'TVA', en: 'VAT' },
    'pricing.showPricingTable': true,
    'booking.instantBooking.lcd': true,
    'booking.rules.leadTime.minHours': 2,
    'metadata.timestamps.createdAt': '2024-01-02T03:04:05.000Z',
    pageUrl: `https://stores.example/store-${number}`,
    ...changes,
  });
}

/** A location at a point (degrees), its name and address made from its slug. */
export function buildLocation(slug: string, lat: number, lng: number): SourceLocation {
  const components = {
    streetNumber: '1',
    street: 'Example Street',
    postalCode: '67000',
    city: `Town ${slug}`,
    administrativeAreaLevel1: 'Region',
    administrativeAreaLevel2: 'County',
    country: 'France',
  };
  return {
    id: `location-${slug}`,
    name: `Location ${slug}`,
    slug,
    address: `1 Example Street, 67000 Town ${slug}`,
    placeId: `place-${slug}`,
    components,
    canonicalComponents: { ...components },
    point: { lat, lng },
  };
}

/** Returns every value at a path as `changeAt` takes it. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  changeAt(value, path, (each) => {
    found.push(each);
    return each;
  });
  return found;
}
