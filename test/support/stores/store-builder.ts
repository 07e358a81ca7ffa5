/** Small valid stores for tests that care about a field or two: everything else is invented. */

import { MINIMAL_STORE } from '../../../fixtures/example-stores.ts';
import type { SourceLocation, SourceStore } from '../../../scripts/compile/source-store.ts';

const { profile, modules, temporal, pricing, booking } = MINIMAL_STORE;

/** The id of store `number`. */
export function storeId(number: number): string {
  return (0xa0_0000_0000 + number).toString(16).padStart(24, '0');
}

/**
 * A valid store, the same for the same `number`; `overrides` replace whole top-level fields.
 *
 * It is a bike rental in `Town <number>`, near 48° N 7° E, in French and English, without rental
 * points and reviews. Parts that are empty are shared between stores: a test that changes one in
 * place works on a copy.
 */
export function buildStore(number = 1, overrides: Partial<SourceStore> = {}): SourceStore {
  return {
    ...MINIMAL_STORE,
    id: storeId(number),
    slug: `store-${number}`,
    profile: {
      ...profile,
      name: `Store ${number}`,
      description: { fr: `Magasin ${number}`, en: `Shop ${number}` },
      verticales: ['BIKE'],
    },
    localization: { default: 'fr', available: ['fr', 'en'] },
    branding: {
      logoURL: `https://img.example/${number}/logo.png`,
      banners: { urls: [], scrollTime: 5 },
    },
    geo: {
      displayAddress: true,
      main: buildLocation(`main-${number}`, 48 + number / 1000, 7 + number / 1000),
      rentalPoints: [],
    },
    modules: {
      ...modules,
      onlinePayment: {
        ...modules.onlinePayment,
        enabled: true,
        methods: { ...modules.onlinePayment.methods, card: true },
      },
    },
    temporal: {
      ...temporal,
      schedule: {
        ...temporal.schedule,
        openingHours: [{ id: 'h1', day: '*', from: '09:00', to: '18:00', open: true }],
      },
    },
    pricing: {
      ...pricing,
      tax: { ...pricing.tax, name: { fr: 'TVA', en: 'VAT' } },
      showPricingTable: true,
    },
    booking: {
      ...booking,
      instantBooking: { lcd: true, lld: false },
      rules: { ...booking.rules, leadTime: { minHours: 2 } },
    },
    metadata: { timestamps: { createdAt: '2024-01-02T03:04:05.000Z' } },
    pageUrl: `https://stores.example/store-${number}`,
    ...overrides,
  };
}

/** The profile of store 1, but for what a test is about. */
export function buildProfile(overrides: Partial<SourceStore['profile']>): SourceStore['profile'] {
  return { ...buildStore().profile, ...overrides };
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

/**
 * Returns a copy with the values at a dotted path changed: `*` stands for every member, `**` for any depth. Nothing
 * lies below null and texts; undefined removes a member.
 */
export function changeAt<Value>(
  value: Value,
  path: string,
  change: (value: unknown) => unknown,
): Value {
  return changeBelow(value, path.split('.'), change) as Value;
}

function changeBelow(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  if (step === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  for (const key of step.startsWith('*') ? Object.keys(copy) : [step]) {
    const isAbove = step === '**' && key !== rest[0];
    const steps = isAbove ? [step, ...rest] : rest.slice(step === '**' ? 1 : 0);
    const next = changeBelow(Reflect.get(copy, key), steps, change);
    if (next === undefined) Reflect.deleteProperty(copy, key);
    else Reflect.set(copy, key, next);
  }
  return copy;
}

/** Returns every value at such a path. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const found: unknown[] = [];
  changeAt(value, path, (each) => {
    found.push(each);
    return each;
  });
  return found;
}
