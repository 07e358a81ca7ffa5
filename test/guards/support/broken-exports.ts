/** Exports that no data team wants to publish, with the guard that refuses each: `names`, or `names lost`. */
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import {
  addressPart,
  type Edit,
  type ExportCase,
  edited,
  ofNext,
  places,
  times,
  withName,
  withoutVerticale,
} from './export-changes.ts';

type BrokenExport = readonly [guard: string, ExportCase];
type Discounts = SourceStore['pricing']['discount'];
type Rule = Discounts['categoryDiscounts'][number]['rules'][number];
type Delivery = SourceStore['modules']['delivery']['ranges'][number];
type Refund = SourceStore['modules']['cancellation']['ranges'][number];
type Range = SourceStore['temporal']['schedule']['closedRanges'][number];

/** Stores that no other seed makes. */
const FOREIGN = [...generateStores(150, { seed: 70_021, languages: 2 })].map((store) => ({
  ...store,
  slug: `${store.slug}-foreign`,
}));

type Point = SourceStore['geo']['main']['point'];

/** A point with latitude and longitude swapped, where that is one. */
const swap = (lat: number, lng: number): Point =>
  Math.abs(lng) > 90 ? { lat, lng } : { lat: lng, lng: lat };

/** A name from the column beside it. */
const shifted = (path: string): Edit[] => [
  [path, (_, { store }) => store.geo.main.components.postalCode.replaceAll(/\D/g, '') || '1'],
];

const onHost = (host: string) => (url: string) => `http://${host}${new URL(url).pathname}`;

const STORES: readonly BrokenExport[] = [
  [
    'removed',
    {
      name: 'the last third of the stores cut off',
      change: (stores) => stores.slice(0, (stores.length * 2) / 3),
    },
  ],
  ['added', { name: 'foreign stores added', change: (stores) => [...stores, ...FOREIGN] }],
  ['other', edited('all created at once', 1, ['metadata.timestamps.createdAt', '2026-10-01'])],
  ['slug', edited('slugs in capitals', 0.06, ['slug', (slug: string) => slug.toUpperCase()])],
];

const ERRORS = [
  ...['NULL', 'null', 'None', 'undefined', 'NaN', '[object Object]', 'N/A', '   '],
  'undefined Rentals',
  'Rent &amp; Ride',
  'Rent &amp;amp; Ride',
  'Jo&#39;s',
  'CafÃ© Roller',
  'Joâ€™s',
  'Caf\uFFFD Roller',
  ...[
    'nan',
    '#N/A',
    '#REF!',
    'Caf&eacute;',
    'Caf√© Roller',
    'Z?rich Rent',
    'Ð\u0092ÐµÐ»Ð¾',
    'Ìàãàçèí',
  ],
];

const comment = 'reviews.external.reviews.*.comment';

const TEXTS: readonly BrokenExport[] = [
  ...ERRORS.map((text): BrokenExport => {
    return ['error-text', edited(`the name of 6 % is "${text}"`, 0.06, ['profile.name', text])];
  }),
  ['error-text', edited('comments of reviews are "null"', 1, [comment, 'null'])],
  [
    'error-text',
    {
      name: 'stores added whose name is "NULL"',
      change: (stores) => [...stores, ...FOREIGN.slice(0, 20).map(withName('NULL'))],
    },
  ],
  [
    'names lost',
    edited('names cut off', 0.25, ['profile.name', (text: string) => text.slice(0, 6)]),
  ],
  ['names', edited('names of the next store', 0.25, ofNext('profile.name'))],
  ['odd-values', edited('columns shifted by one', 1, ...shifted('profile.name'))],
  ['equal-names', edited('one name for many', 0.1, ['profile.name', 'Rent & Ride'])],
  ['empty-names', edited('no names', 1, ['profile.name', ''])],
  ['odd-values', edited('a zero-width space in names', 0.06, ['profile.name', 'Rent\u200B Ride'])],
  ['odd-values', edited('a bell in names', 0.06, ['profile.name', 'a\u0007b'])],
  ['odd-values', edited('escapes in descriptions', 0.06, ['profile.description.*', '\u001B[1mA'])],
  [
    'descriptions',
    edited('a notice of tests before texts', 0.6, [
      'profile.description.*',
      (text: string) => `TEST: ${text}`,
    ]),
  ],
  [
    'descriptions lost',
    edited('no descriptions in one language', 1, [
      'profile.description',
      (texts: object) => Object.fromEntries(Object.entries(texts).slice(0, 1)),
    ]),
  ],
  [
    'descriptions lost',
    edited('descriptions cut off', 0.35, [
      'profile.description.*',
      (text: string) => text.slice(0, 20),
    ]),
  ],
  ['empty-descriptions', edited('no descriptions at all', 1, ['profile.description.*', ''])],
  [
    'equal-descriptions',
    edited('descriptions are a placeholder', 0.1, ['profile.description.*', 'Lorem ipsum']),
  ],
  ['language-nl', edited('every language', 0.25, ['localization.available', LANGUAGES])],
  [
    'language-en',
    edited('one language left', 1, [
      'localization.available',
      (_, { store }) => [store.localization.default],
    ]),
  ],
  ['verticale-boat', edited('all verticales for a fifth', 0.2, ['profile.verticales', VERTICALES])],
  ['verticale-bike', edited('no verticales', 0.2, ['profile.verticales', []])],
  [
    'verticale-ski',
    { name: 'no skis any more', change: (stores) => stores.map(withoutVerticale('SKI')) },
  ],
  ['equal-page-urls', edited('one page', 1, ['pageUrl', 'https://rentals.example/'])],
  [
    'page-url',
    edited('page URLs of an eighth equal', 0.125, ['pageUrl', 'https://rentals.example/404']),
  ],
  ['page-url', edited('pages of staging', 1, ['pageUrl', onHost('staging.rentals.example')])],
  ['private-links', edited('pages of staging', 1, ['pageUrl', onHost('staging.rentals.example')])],
  ...['localhost:3000', '10.0.0.7', 'shop.local', '[::1]', 'intranet', '172.20.1.1'].map(
    (host): BrokenExport => {
      return ['private-links', edited(`pages at ${host}`, 0.06, ['pageUrl', onHost(host)])];
    },
  ),
  [
    'private-links',
    edited('a password in pages', 0.06, [
      'pageUrl',
      (url: string) => url.replace('://', '://admin:hunter2@'),
    ]),
  ],
  ['other', edited('one logo', 0.6, ['branding.logoURL', 'https://images.example/logo.png'])],
];

const rentalPoint = 'geo.rentalPoints.*.point';

const PLACES: readonly BrokenExport[] = [
  [
    'position',
    edited(
      'a tenth moved by 1 km',
      0.1,
      ...places('point', ({ lat, lng }: Point) => ({
        lat: lat + 0.009,
        lng,
      })),
    ),
  ],
  [
    'position',
    edited('rental points moved by 55 km', 1, [
      rentalPoint,
      ({ lat, lng }: Point) => ({ lat: lat + 0.5, lng }),
    ]),
  ],
  [
    'position',
    edited('rental points with longitude negated', 1, [
      rentalPoint,
      ({ lat, lng }: Point) => ({ lat, lng: -lng }),
    ]),
  ],
  [
    'position',
    edited('rental points at the main point', 1, [
      rentalPoint,
      (_, { store }) => store.geo.main.point,
    ]),
  ],
  [
    'far-points',
    edited('points swapped', 1, ...places('point', ({ lat, lng }: Point) => swap(lat, lng))),
  ],
  [
    'position',
    edited('points swapped', 1, ...places('point', ({ lat, lng }: Point) => swap(lat, lng))),
  ],
  [
    'zero-points',
    edited('latitudes twice', 0.1, ...places('point', ({ lat }: Point) => ({ lat, lng: lat }))),
  ],
  ['zero-points', edited('a tenth at 0, 0', 0.1, ...places('point', () => ({ lat: 0, lng: 0 })))],
  ['equal-points', edited('a tenth at 0, 0', 0.1, ...places('point', () => ({ lat: 0, lng: 0 })))],
  ['shown', edited('all hidden addresses shown', 1, ['geo.displayAddress', true])],
  ['addresses lost', edited('an eighth hidden', 0.125, ['geo.displayAddress', false])],
  ['addresses', edited('addresses of the next store', 0.2, ofNext('geo.main.address'))],
  ['country', edited('one country', 0.06, ...addressPart('country', 'Elsewhere'))],
  [
    'addresses lost',
    edited(
      'leading zeros of postcodes lost',
      1,
      ...addressPart('postalCode', (code: string) => code.replace(/^0+(?=\d)/, '')),
    ),
  ],
];

const turned = (ranges: readonly Range[]) =>
  ranges.map(({ from, to, ...range }) => ({ ...range, from: to, to: from }));
const forGood = (ranges: readonly Range[]) => [
  ...ranges,
  { id: 'for-good', from: '2027-07-01T00:00:00.000Z', to: '2099-12-31T00:00:00.000Z' },
];
const aDayLate = (ranges: readonly Range[]) =>
  ranges.map((range) => ({ ...range, from: dayAfter(range.from), to: dayAfter(range.to) }));
const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString();
const closed = 'temporal.schedule.closedRanges';
const hours = 'temporal.schedule.openingHours';

const TIMES: readonly BrokenExport[] = [
  ['time-zone', edited('time zones are UTC', 0.06, ['temporal.timezone', 'UTC'])],
  [
    'hours',
    edited('one schedule for most', 0.6, [
      hours,
      [{ id: 'all', day: '*', from: '09:00', to: '18:00', open: true }],
    ]),
  ],
  ['hours', edited('closed for good', 1, [closed, forGood])],
  ['hours', edited('closing days a day late', 1, [closed, aDayLate])],
  ['hours lost', edited('no closing days', 0.4, [closed, []])],
  ['reversed-dates', edited('closing days end before they begin', 0.2, [closed, turned])],
];

const rules = 'pricing.discount.categoryDiscounts.*.rules.*';
const percentage = 'pricing.discount.globalDiscounts.*.percentage';
const ranges = 'modules.delivery.ranges.*';
const refunds = 'modules.cancellation.ranges.*';

const SETTINGS: readonly BrokenExport[] = [
  ['currency', edited('another currency', 0.1, ['pricing.currency.isoCode', 'GBP'])],
  ['prices lost', edited('delivery prices times 100', 0.49, [`${ranges}.price`, times(100)])],
  ['prices lost', edited('delivery is free', 0.49, [`${ranges}.price`, 0])],
  ['prices', edited('delivery prices with tax', 1, [`${ranges}.price`, times(1.2)])],
  ['tax lost', edited('taxes as fractions', 0.25, ['pricing.tax.value', times(0.01)])],
  ['tax', edited('one tax', 1, ['pricing.tax.value', 19.6])],
  ['prices lost', edited('discounts of 0 %', 1, [percentage, 0])],
  ['odd-values', edited('discounts of 100 %', 1, [percentage, 100])],
  ['prices lost', edited('no discounts', 0.1, ['pricing.discount.*', []])],
  [
    'odd-values',
    edited('discounts over 100 %', 0.2, [
      rules,
      (rule: Rule) => ({ ...rule, discountType: 'PERCENTAGE', discount: rule.discount * 100 }),
    ]),
  ],
  [
    'odd-values',
    edited('discounts end before they begin', 0.2, [
      rules,
      (rule: Rule) => ({ ...rule, rangeFrom: rule.rangeTo + 1, rangeTo: 1, infiniteTo: false }),
    ]),
  ],
  [
    'odd-values',
    edited('delivery ranges reversed', 0.2, [
      ranges,
      (range: Delivery) => ({ ...range, min: range.max, max: range.min }),
    ]),
  ],
  ['modules', edited('no payment online', 0.3, ['modules.onlinePayment.enabled', false])],
  [
    'odd-values',
    edited('refunds over 100 %', 0.2, [
      refunds,
      (range: Refund) => ({ ...range, refundAmount: range.refundAmount * 100 }),
    ]),
  ],
  ['booking', edited('no lead times', 0.3, ['booking.rules.leadTime.minHours', 0])],
  [
    'odd-values',
    edited('longest booking shorter than the shortest', 0.1, [
      'booking.rules.duration',
      () => ({ minHours: 48, maxHours: 2 }),
    ]),
  ],
  ['reviews lost', edited('ratings out of 1', 0.1, ['reviews.external.rating', times(0.2)])],
  ['reviews lost', edited('one bad rating', 0.1, ['reviews.external.rating', 1])],
  ['reviews lost', edited('ratings zero', 0.1, ['reviews.external.rating', 0])],
  ['reviews lost', edited('no pages of reviews', 0.1, ['reviews.external.mapsUrl', ''])],
];

export const BROKEN: readonly BrokenExport[] = [
  ...STORES,
  ...TEXTS,
  ...PLACES,
  ...TIMES,
  ...SETTINGS,
];
