/**
 * A store with everything, for the page on the source format: the example of the OpenAPI document, as
 * an export has it. The compiler and a test check it.
 */
import { EXAMPLE_STORE, LOCATION, RENTAL_POINT } from '../../web/openapi/example-store.ts';
import type { WrittenStore } from './minimal-store.ts';

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
