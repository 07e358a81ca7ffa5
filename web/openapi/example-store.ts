/**
 * A store as it may be answered, for the documentation: it has everything that a store can have. The
 * compiler checks it against the model.
 */
import type { Store } from '../../src/model/store.ts';

const COMPONENTS = {
  streetNumber: '12',
  street: 'Quai des Bateliers',
  postalCode: '67000',
  city: 'Strasbourg',
  administrativeAreaLevel1: 'Grand Est',
  administrativeAreaLevel2: 'Bas-Rhin',
  country: 'France',
};

export const LOCATION = {
  id: '5f2b8c0d9e1a4b3c7d6e5f41',
  name: 'Vélos du Port',
  slug: 'strasbourg-port',
  address: '12 Quai des Bateliers, 67000 Strasbourg, France',
  placeId: 'place-strasbourg-port',
  components: COMPONENTS,
  canonicalComponents: COMPONENTS,
  point: { lat: 48.5805, lng: 7.7545 },
};

export const RENTAL_POINT = {
  ...LOCATION,
  id: '5f2b8c0d9e1a4b3c7d6e5f42',
  name: 'Vélos du Port, gare',
  slug: 'strasbourg-gare',
  address: '1 Place de la Gare, 67000 Strasbourg, France',
  placeId: 'place-strasbourg-gare',
  components: { ...COMPONENTS, streetNumber: '1', street: 'Place de la Gare' },
  canonicalComponents: { ...COMPONENTS, streetNumber: '1', street: 'Place de la Gare' },
  point: { lat: 48.585, lng: 7.7342 },
};

const DELIVERY_CITY = {
  cityName: 'Kehl',
  sublocalityName: '',
  zipCode: '77694',
  placeId: 'place-kehl',
  hasMultiplePostcodeLocalities: false,
};

const MODULES: Store['modules'] = {
  delivery: {
    enabled: true,
    deliveryOnly: false,
    ranges: [
      { min: 0, max: 10, price: 8, specificPrices: [{ price: 12, cities: [DELIVERY_CITY] }] },
    ],
    excludedCities: [
      { ...DELIVERY_CITY, cityName: 'Obernai', zipCode: '67210', placeId: 'place-obernai' },
    ],
    freeDelivery: { activated: true, type: 'SUBTOTAL', value: 150 },
  },
  onlinePayment: {
    enabled: true,
    provider: 'PROVIDER_A',
    methods: {
      card: true,
      walletA: true,
      walletB: true,
      voucherConnect: false,
      sepa: true,
      ideal: false,
      bancontact: false,
      giroPay: false,
      p24: false,
      blik: false,
      multibanco: false,
      eps: false,
    },
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
};

const BOOKING: Store['booking'] = {
  bookingType: { lcd: true, lld: false, event: false },
  instantBooking: { lcd: true, lld: false },
  fixedDurations: {
    enabled: true,
    durations: [{ id: 'half-day', minutes: 0, hours: 4, label: 'Half a day' }],
  },
  rules: {
    timeAnchors: {
      startTimes: [{ hours: 9, minutes: 0 }],
      endTimes: [{ hours: 18, minutes: 30 }],
    },
    leadTime: { minHours: 2 },
    duration: { minHours: 1, maxHours: 720 },
  },
};

const EXTERNAL_REVIEWS = {
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
};

export const EXAMPLE_STORE: Store = {
  id: '5f2b8c0d9e1a4b3c7d6e5f40',
  slug: 'velos-du-port',
  profile: {
    name: 'Vélos du Port',
    description: 'City bikes and electric bikes on the banks of the river Ill.',
    verticales: ['BIKE', 'ELECTRIC_BIKE'],
  },
  localization: { current: 'en', default: 'fr', available: ['fr', 'en', 'de'] },
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
  geo: { location: LOCATION, locations: [RENTAL_POINT] },
  modules: MODULES,
  reviews: { external: EXTERNAL_REVIEWS },
  temporal: {
    timezone: 'Europe/Paris',
    schedule: {
      openingHours: [{ id: 'every-day', day: '*', from: '09:00', to: '18:30', open: true }],
      openingHoursLowSeason: [{ id: 'sunday', day: '0', from: '00:00', to: '23:59', open: false }],
      lowSeasonRanges: [
        { id: 'winter', from: '2026-11-01T00:00:00+01:00', to: '2027-03-01T00:00:00+01:00' },
      ],
      closedRanges: [
        { id: 'works', from: '2027-01-11T00:00:00+01:00', to: '2027-01-15T23:59:59+01:00' },
      ],
    },
  },
  pricing: {
    currency: { isoCode: 'EUR', symbol: '€' },
    tax: { type: 'INCLUSIVE', value: 20, name: 'VAT' },
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
  booking: BOOKING,
  metadata: { timestamps: { createdAt: '2021-04-12T08:30:00Z' } },
  pageUrl: 'https://rental.example/velos-du-port',
  name: 'Vélos du Port',
  logoURL: 'https://images.example/velos-du-port/logo.png',
  bannerURL: ['https://images.example/velos-du-port/banner.jpg'],
  currency: { isoName: 'EUR', symbol: '€' },
  lat: LOCATION.point.lat,
  lng: LOCATION.point.lng,
  address: LOCATION.address,
  addressComponents: {
    administrativeAreaLevel1: COMPONENTS.administrativeAreaLevel1,
    administrativeAreaLevel2: COMPONENTS.administrativeAreaLevel2,
    city: COMPONENTS.city,
    country: COMPONENTS.country,
    placeId: LOCATION.placeId,
    postalCode: COMPONENTS.postalCode,
    street: COMPONENTS.street,
    streetNumber: COMPONENTS.streetNumber,
  },
  externalRating: EXTERNAL_REVIEWS.rating,
  externalReviewsNb: EXTERNAL_REVIEWS.total,
  verticales: ['BIKE', 'ELECTRIC_BIKE'],
};
