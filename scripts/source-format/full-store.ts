/** A store with everything, for the page on the source format. The compiler and a test check it. */
import { MINIMAL_STORE, NO_METHODS, type WrittenStore } from './minimal-store.ts';

const QUAY = {
  streetNumber: '12',
  street: 'Quai des Bateliers',
  postalCode: '67000',
  city: 'Strasbourg',
  administrativeAreaLevel1: 'Grand Est',
  administrativeAreaLevel2: 'Bas-Rhin',
  country: 'France',
};

const STATION = { ...QUAY, streetNumber: '1', street: 'Place de la Gare' };

const KEHL = {
  cityName: 'Kehl',
  sublocalityName: '',
  zipCode: '77694',
  placeId: 'place-kehl',
  hasMultiplePostcodeLocalities: false,
};

/** Everything that a store can have, at least one of each. */
export const FULL_STORE: WrittenStore = {
  ...MINIMAL_STORE,
  profile: {
    name: 'Vélos du Port',
    description: { fr: 'Vélos de ville au bord de l’Ill.', en: 'City bikes on the river Ill.' },
    verticales: ['BIKE', 'ELECTRIC_BIKE'],
  },
  localization: { default: 'fr', available: ['fr', 'en'] },
  contact: {
    socialMedia: {
      socialA: 'https://social-a.example/velos-du-port',
      socialB: 'https://social-b.example/velos-du-port',
      socialC: 'https://social-c.example/velos-du-port',
      socialD: 'https://social-d.example/velos-du-port',
      socialE: 'https://social-e.example/velos-du-port',
    },
  },
  branding: {
    logoURL: 'https://images.example/velos-du-port/logo.png',
    banners: { urls: ['https://images.example/velos-du-port/banner.jpg'], scrollTime: 5 },
  },
  geo: {
    displayAddress: true,
    main: {
      id: '5f2b8c0d9e1a4b3c7d6e5f41',
      name: { fr: 'Le port', en: 'The harbour' },
      slug: 'strasbourg-port',
      address: '12 Quai des Bateliers, 67000 Strasbourg, France',
      placeId: 'place-strasbourg-port',
      components: QUAY,
      canonicalComponents: QUAY,
      point: { lat: 48.5805, lng: 7.7545 },
    },
    rentalPoints: [
      {
        id: '5f2b8c0d9e1a4b3c7d6e5f42',
        name: 'Gare',
        slug: 'strasbourg-gare',
        address: '1 Place de la Gare, 67000 Strasbourg, France',
        placeId: 'place-strasbourg-gare',
        components: STATION,
        canonicalComponents: STATION,
        point: { lat: 48.585, lng: 7.7342 },
      },
    ],
  },
  modules: {
    delivery: {
      enabled: true,
      deliveryOnly: false,
      ranges: [{ min: 0, max: 10, price: 8, specificPrices: [{ price: 12, cities: [KEHL] }] }],
      excludedCities: [
        { ...KEHL, cityName: 'Obernai', zipCode: '67210', placeId: 'place-obernai' },
      ],
      freeDelivery: { activated: true, type: 'SUBTOTAL', value: 150 },
    },
    onlinePayment: {
      enabled: true,
      provider: 'PROVIDER_A',
      methods: { ...NO_METHODS, card: true, sepa: true },
    },
    insurance: {
      enabled: true,
      provider: 'PROVIDER_B',
      details: { provider: 'PROVIDER_B', status: 'on_option' },
    },
    multipleLocations: { enabled: true, dropoffRule: 'DIFFERENT' },
    cancellation: {
      enabled: true,
      ranges: [{ hourThreshold: 48, refundType: 'PERCENTAGE', refundAmount: 100 }],
    },
  },
  reviews: {
    external: {
      rating: 4.7,
      total: 312,
      placeId: 'place-strasbourg-port',
      reviews: [
        {
          author: { name: 'Camille', profilePictureUrl: 'https://images.example/camille.jpg' },
          comment: 'Good bikes, kind people.',
          rating: 5,
          publishTime: '2026-06-14T16:20:00Z',
        },
      ],
      mapsUrl: 'https://maps.example/place-strasbourg-port',
      updatedAt: '2026-11-01T04:00:00Z',
    },
  },
  temporal: {
    timezone: 'Europe/Paris',
    schedule: {
      openingHours: [{ id: 'every-day', day: '*', from: '09:00', to: '18:30', open: true }],
      openingHoursLowSeason: [{ id: 'sunday', day: '0', from: '00:00', to: '23:59', open: false }],
      lowSeasonRanges: [
        { id: 'winter', from: '2026-11-01T00:00:00+01:00', to: '2027-02-28T23:59:59+01:00' },
      ],
      closedRanges: [
        { id: 'works', from: '2027-01-11T00:00:00+01:00', to: '2027-01-15T23:59:59+01:00' },
      ],
    },
  },
  pricing: {
    currency: { isoCode: 'EUR', symbol: '€' },
    tax: { type: 'INCLUSIVE', value: 20, name: { fr: 'TVA', en: 'VAT' } },
    discount: {
      globalDiscounts: [
        {
          percentage: 10,
          from: '2026-12-01T00:00:00+01:00',
          to: '2026-12-24T23:59:59+01:00',
          applicableDate: 'START_DATE',
        },
      ],
      categoryDiscounts: [
        {
          itemCategoryIds: ['city-bikes'],
          rules: [
            { discount: 5, discountType: 'AMOUNT', rangeFrom: 3, rangeTo: 0, infiniteTo: true },
          ],
        },
      ],
    },
    showPricingTable: true,
  },
  booking: {
    bookingType: { lcd: true, lld: false, event: false },
    instantBooking: { lcd: true, lld: false },
    fixedDurations: {
      enabled: true,
      durations: [
        { id: 'half-day', minutes: 0, hours: 4, label: { fr: 'Demi-journée', en: 'Half a day' } },
      ],
    },
    rules: {
      timeAnchors: {
        startTimes: [{ hours: 9, minutes: 0 }],
        endTimes: [{ hours: 18, minutes: 30 }],
      },
      leadTime: { minHours: 2 },
      duration: { minHours: 1, maxHours: 720 },
    },
  },
};
