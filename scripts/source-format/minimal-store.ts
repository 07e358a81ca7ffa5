/** The least that a store can be, for the page on the source format. The compiler and a test check it. */
import type { z } from 'zod';
import type { sourceStoreSchema } from '../compile/source-store.ts';

/** A store as an export has it. */
export type WrittenStore = z.input<typeof sourceStoreSchema>;

const NOWHERE = {
  streetNumber: '',
  street: '',
  postalCode: '',
  city: '',
  administrativeAreaLevel1: '',
  administrativeAreaLevel2: '',
  country: '',
};

const NO_METHODS = {
  card: false,
  walletA: false,
  walletB: false,
  voucherConnect: false,
  sepa: false,
  ideal: false,
  bancontact: false,
  giroPay: false,
  p24: false,
  blik: false,
  multibanco: false,
  eps: false,
};

/** As little as a store can do with: every list empty, null wherever it may be. */
export const MINIMAL_STORE: WrittenStore = {
  id: '5f2b8c0d9e1a4b3c7d6e5f40',
  slug: 'velos-du-port',
  profile: { name: 'Vélos du Port', description: { fr: '' }, verticales: [] },
  localization: { default: 'fr', available: ['fr'] },
  contact: {
    socialMedia: { socialA: null, socialB: null, socialC: null, socialD: null, socialE: null },
  },
  branding: { logoURL: '', banners: { urls: [], scrollTime: 0 } },
  geo: {
    displayAddress: true,
    main: {
      id: '',
      name: 'Vélos du Port',
      slug: 'strasbourg-port',
      address: '',
      placeId: '',
      components: NOWHERE,
      canonicalComponents: NOWHERE,
      point: { lat: 48.5805, lng: 7.7545 },
    },
    rentalPoints: [],
  },
  modules: {
    delivery: {
      enabled: false,
      deliveryOnly: false,
      ranges: [],
      excludedCities: [],
      freeDelivery: { activated: false, type: 'SUBTOTAL', value: 0 },
    },
    onlinePayment: { enabled: false, provider: 'PROVIDER_A', methods: NO_METHODS },
    insurance: {
      enabled: false,
      provider: 'PROVIDER_B',
      details: { provider: 'PROVIDER_B', status: 'off' },
    },
    multipleLocations: { enabled: false, dropoffRule: 'SAME' },
    cancellation: { enabled: false, ranges: [] },
  },
  reviews: { external: null },
  temporal: {
    timezone: 'Europe/Paris',
    schedule: {
      openingHours: [],
      openingHoursLowSeason: [],
      lowSeasonRanges: [],
      closedRanges: [],
    },
  },
  pricing: {
    currency: { isoCode: 'EUR', symbol: '€' },
    tax: { type: 'INCLUSIVE', value: 20, name: 'TVA' },
    discount: { globalDiscounts: [], categoryDiscounts: [] },
    showPricingTable: false,
  },
  booking: {
    bookingType: { lcd: true, lld: false, event: false },
    instantBooking: { lcd: false, lld: false },
    fixedDurations: { enabled: false, durations: [] },
    rules: {
      timeAnchors: { startTimes: [], endTimes: [] },
      leadTime: { minHours: 0 },
      duration: { minHours: null, maxHours: null },
    },
  },
  metadata: { timestamps: { createdAt: '2021-04-12T08:30:00Z' } },
  pageUrl: 'https://rental.example/velos-du-port',
};
