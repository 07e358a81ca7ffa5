/**
 * Every field of the contract in contract order, typed off the tables of the interface
 * specification (not off the schemas, which are under test).
 */

/** Keys of an object in order; `true` marks a value without keys of its own. Arrays are looked through. */
export interface KeyTree {
  readonly [key: string]: KeyTree | true;
}

function keys(...names: string[]): KeyTree {
  return Object.fromEntries(names.map((name) => [name, true]));
}

const deliveryCity = keys(
  'cityName',
  'sublocalityName',
  'zipCode',
  'placeId',
  'hasMultiplePostcodeLocalities',
);

const addressComponents = keys(
  'streetNumber',
  'street',
  'postalCode',
  'city',
  'administrativeAreaLevel1',
  'administrativeAreaLevel2',
  'country',
);

const location: KeyTree = {
  ...keys('id', 'name', 'slug', 'address', 'placeId'),
  components: addressComponents,
  canonicalComponents: addressComponents,
  point: keys('lat', 'lng'),
};

const modules: KeyTree = {
  delivery: {
    ...keys('enabled', 'deliveryOnly'),
    ranges: {
      ...keys('min', 'max', 'price'),
      specificPrices: { price: true, cities: deliveryCity },
    },
    excludedCities: deliveryCity,
    freeDelivery: keys('activated', 'type', 'value'),
  },
  onlinePayment: {
    ...keys('enabled', 'provider'),
    methods: keys(
      ...['card', 'walletA', 'walletB', 'voucherConnect', 'sepa', 'ideal', 'bancontact'],
      ...['giroPay', 'p24', 'blik', 'multibanco', 'eps'],
    ),
  },
  insurance: { ...keys('enabled', 'provider'), details: keys('provider', 'status') },
  multipleLocations: keys('enabled', 'dropoffRule'),
  cancellation: { enabled: true, ranges: keys('hourThreshold', 'refundType', 'refundAmount') },
};

const reviews: KeyTree = {
  external: {
    ...keys('rating', 'total', 'placeId'),
    reviews: {
      author: keys('name', 'profilePictureUrl'),
      ...keys('comment', 'rating', 'publishTime'),
    },
    ...keys('mapsUrl', 'updatedAt'),
  },
};

const openingHours = keys('id', 'day', 'from', 'to', 'open');
const dateRange = keys('id', 'from', 'to');

const temporal: KeyTree = {
  timezone: true,
  schedule: {
    openingHours,
    openingHoursLowSeason: openingHours,
    lowSeasonRanges: dateRange,
    closedRanges: dateRange,
  },
};

const pricing: KeyTree = {
  currency: keys('isoCode', 'symbol'),
  tax: keys('type', 'value', 'name'),
  discount: {
    globalDiscounts: keys('percentage', 'from', 'to', 'applicableDate'),
    categoryDiscounts: {
      itemCategoryIds: true,
      rules: keys('discount', 'discountType', 'rangeFrom', 'rangeTo', 'infiniteTo'),
    },
  },
  showPricingTable: true,
};

const booking: KeyTree = {
  bookingType: keys('lcd', 'lld', 'event'),
  instantBooking: keys('lcd', 'lld'),
  fixedDurations: { enabled: true, durations: keys('id', 'minutes', 'hours', 'label') },
  rules: {
    timeAnchors: { startTimes: keys('hours', 'minutes'), endTimes: keys('hours', 'minutes') },
    leadTime: keys('minHours'),
    duration: keys('minHours', 'maxHours'),
  },
};

export const STORE_KEYS: KeyTree = {
  ...keys('id', 'slug', 'rentalPointSlug'),
  profile: keys('name', 'description', 'verticales'),
  localization: keys('current', 'default', 'available'),
  contact: { socialMedia: keys('socialA', 'socialB', 'socialC', 'socialD', 'socialE') },
  branding: { logoURL: true, banners: keys('urls', 'scrollTime') },
  geo: { location, locations: location },
  modules,
  reviews,
  temporal,
  pricing,
  booking,
  metadata: { timestamps: keys('createdAt') },
  ...keys('pageUrl', 'distance', 'name', 'logoURL', 'bannerURL'),
  currency: keys('isoName', 'symbol'),
  ...keys('lat', 'lng', 'address'),
  addressComponents: keys(
    ...['administrativeAreaLevel1', 'administrativeAreaLevel2', 'city', 'country', 'placeId'],
    ...['postalCode', 'street', 'streetNumber'],
  ),
  ...keys('externalRating', 'externalReviewsNb', 'verticales'),
};

/** Every legal path of `fields`, parents before children. */
export const STORE_PATHS: readonly string[] = pathsOf(STORE_KEYS, '');

function pathsOf(tree: KeyTree, prefix: string): string[] {
  const paths: string[] = [];
  for (const [key, below] of Object.entries(tree)) {
    paths.push(prefix + key);
    if (below !== true) paths.push(...pathsOf(below, `${prefix}${key}.`));
  }
  return paths;
}
