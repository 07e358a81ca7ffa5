/**
 * The most and the least that a store can be, for the page on the source format, made of the example of
 * the OpenAPI document. The compiler and a test check both.
 */
import type { z } from 'zod';
import { EXAMPLE_STORE, LOCATION, RENTAL_POINT } from '../../web/openapi/example-store.ts';
import type { sourceStoreSchema } from '../compile/source-store.ts';

/** A store as an export has it. */
type WrittenStore = z.input<typeof sourceStoreSchema>;

const { id, slug, contact, branding, modules, reviews, temporal } = EXAMPLE_STORE;
const { profile, localization, pricing, booking, metadata, pageUrl } = EXAMPLE_STORE;
const { fixedDurations } = booking;

/** Everything that a store can have, at least one of each. */
export const FULL_STORE: WrittenStore = {
  ...{ id, slug },
  profile: {
    ...profile,
    description: { fr: 'Vélos au bord de l’Ill.', en: profile.description },
  },
  localization: { default: localization.default, available: localization.available },
  ...{ contact, branding },
  geo: {
    displayAddress: true,
    main: { ...LOCATION, name: { fr: 'Vélos du Port', en: LOCATION.name } },
    rentalPoints: [RENTAL_POINT],
  },
  ...{ modules, reviews, temporal },
  pricing: { ...pricing, tax: { ...pricing.tax, name: { fr: 'TVA', en: pricing.tax.name } } },
  booking: {
    ...booking,
    fixedDurations: {
      ...fixedDurations,
      durations: fixedDurations.durations.map((duration) => ({
        ...duration,
        label: { fr: 'Demi-journée', en: duration.label },
      })),
    },
  },
  ...{ metadata, pageUrl },
};

/** The same with nothing in it: texts and lists are empty, numbers zero, and every answer is no. */
function emptied<Value>(value: Value): Value {
  if (Array.isArray(value)) return [] as Value;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [key, emptied(member)]);
    return Object.fromEntries(members);
  }
  return (typeof value === 'string' ? '' : typeof value === 'number' ? 0 : false) as Value;
}

const EMPTY = emptied(FULL_STORE);
const { delivery, onlinePayment, insurance } = EMPTY.modules;

/** As little as a store can do with: every list empty, null wherever it may be. */
export const MINIMAL_STORE: WrittenStore = {
  ...EMPTY,
  ...{ id, slug },
  profile: { ...EMPTY.profile, name: profile.name, description: { fr: '' } },
  localization: { default: 'fr', available: ['fr'] },
  contact: {
    socialMedia: { socialA: null, socialB: null, socialC: null, socialD: null, socialE: null },
  },
  geo: {
    displayAddress: true,
    main: {
      ...EMPTY.geo.main,
      ...{ name: LOCATION.name, slug: LOCATION.slug, point: LOCATION.point },
    },
    rentalPoints: [],
  },
  modules: {
    ...EMPTY.modules,
    delivery: { ...delivery, freeDelivery: { ...delivery.freeDelivery, type: 'SUBTOTAL' } },
    onlinePayment: { ...onlinePayment, provider: 'PROVIDER_A' },
    insurance: {
      ...insurance,
      provider: 'PROVIDER_B',
      details: { provider: 'PROVIDER_B', status: 'off' },
    },
    multipleLocations: { enabled: false, dropoffRule: 'SAME' },
  },
  reviews: { external: null },
  temporal: { ...EMPTY.temporal, timezone: temporal.timezone },
  pricing: {
    ...EMPTY.pricing,
    currency: pricing.currency,
    tax: { ...pricing.tax, name: 'TVA' },
  },
  booking: {
    ...EMPTY.booking,
    bookingType: booking.bookingType,
    rules: { ...EMPTY.booking.rules, duration: { minHours: null, maxHours: null } },
  },
  ...{ metadata, pageUrl },
};
