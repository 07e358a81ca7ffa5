/** Exports that no data team wants to publish, with the guards that refuse each: `names`, or `names lost`. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../../src/model/enumerations.ts';
import {
  closed,
  closing,
  type ExportChange,
  FOREIGN,
  hours,
  later,
  type Point,
  times,
  withName,
  withoutVerticale,
} from './export-changes.ts';

export type BrokenExport = [guards: string, name: string, ...ExportChange];
type Rule = SourceStore['pricing']['discount']['categoryDiscounts'][number]['rules'][number];
type Delivery = SourceStore['modules']['delivery']['ranges'][number];
type Range = SourceStore['temporal']['schedule']['closedRanges'][number];

/** With a tenth of the stores a second time, under other ids. */
function doubled(stores: readonly SourceStore[]): SourceStore[] {
  const again = stores.slice(0, stores.length / 10).map((store, index) => {
    return { ...store, id: index.toString(16).padStart(24, 'f'), slug: `${store.slug}-2` };
  });
  return [...stores, ...again];
}

const STORES: readonly BrokenExport[] = [
  ['removed', 'the last third cut off', (stores) => stores.slice(0, (stores.length * 2) / 3)],
  ['added', 'foreign stores added', (stores) => [...stores, ...FOREIGN]],
  ['other', 'all created at once', 1, 'metadata.timestamps.createdAt', '2026-10-01'],
  ['equal-points', 'rows doubled by a join', doubled],
  ['slug', 'slugs in capitals', 0.06, 'slug', (slug: string) => slug.toUpperCase()],
];

const ERRORS = [
  ...['NULL', 'null', 'None', 'undefined', 'NaN', '[object Object]', 'N/A', '   '],
  ...['undefined Rentals', 'Rent &amp; Ride', 'Rent &amp;amp; Ride', 'Jo&#39;s', 'CafÃ© Roller'],
  ...['Joâ€™s', 'Caf\uFFFD Roller', 'nan', '#N/A', '#REF!', 'Caf&eacute;', 'Caf√© Roller'],
  ...['Z?rich Rent', 'Ð\u0092ÐµÐ»Ð¾', 'Ìàãàçèí', "b'Rent'", "['Rent']", '{"fr":"Rent"}', '6.9E+4'],
  ...['FALSE', 'TBD', 'Unknown', 'Test', 'test-store 12', 'Lorem ipsum dolor', '<b>Rent</b>'],
];

const names = 'profile.name';
const texts = 'profile.description.*';
const pages = 'pageUrl';
const onHost = (host: string) => (url: string) => `http://${host}${new URL(url).pathname}`;

const TEXTS: readonly BrokenExport[] = [
  ...ERRORS.map((text): BrokenExport => {
    return ['error-text', `the name of 6 % is "${text}"`, 0.06, names, text];
  }),
  ['error-text', 'comments are "null"', 1, 'reviews.external.reviews.*.comment', 'null'],
  [
    'error-text',
    'stores added whose name is "NULL"',
    (stores) => [...stores, ...FOREIGN.slice(0, 20).map(withName('NULL'))],
  ],
  ['names lost', 'names cut off', 0.25, names, (text: string) => text.slice(0, 6)],
  ['names', 'names of the next store', 0.25, names, (_, { next }) => next.profile.name],
  [
    'odd-values',
    'columns shifted by one',
    1,
    names,
    (_, { store }) => store.geo.main.components.postalCode.replaceAll(/\D/g, '') || '1',
  ],
  [
    'odd-values',
    'numbers of stores for names',
    1,
    names,
    (_, { index }) => `ST-${String(index).padStart(4, '0')}`,
  ],
  ['odd-values', 'slugs for names', 0.06, names, (_, { store }) => store.slug],
  ['odd-values', 'rows of a table for names', 0.06, names, (text: string) => `"${text}"`],
  ['odd-values', 'addresses for names', 0.06, names, (_, { store }) => store.geo.main.address],
  ['odd-values', 'pages for names', 0.06, names, (_, { store }) => store.pageUrl],
  ['odd-values', 'e-mail for names', 0.06, names, (_, { index }) => `rent${index}@shop.example`],
  ['odd-values', 'descriptions for names', 0.06, names, (text: string) => text.padEnd(120, '.')],
  ['odd-values', 'names of a fixed width', 0.06, names, (text: string) => `${text}   `],
  ['odd-values', 'names with escaped blanks', 0.06, names, (text: string) => `${text}%20B`],
  ['odd-values', 'rows that were not split', 0.06, names, (text: string) => `17;${text};20`],
  ['odd-values', 'descriptions in base64', 0.06, texts, (text: string) => btoa(encodeURI(text))],
  ['odd-values', 'descriptions in another script', 0.06, texts, '???? ?? ???'],
  ['error-text', 'slugs of no name', 0.06, 'slug', (slug: string) => `undefined-${slug}`],
  ['error-text', 'tags in descriptions', 0.06, texts, (text: string) => `<p>${text}</p>`],
  ...['# About us\n', 'The **best** bikes. ', 'See [us](https://rent.example). '].map(
    (text): BrokenExport => ['error-text', `Markdown: ${text.trim()}`, 0.06, texts, text],
  ),
  ['odd-values', 'names twice', 0.06, names, (text: string) => `${text} - ${text}`],
  ['equal-names', 'one name for many', 0.1, names, 'Rent & Ride'],
  ['empty-names', 'no names', 1, names, ''],
  ['odd-values', 'ids for names', 1, names, (_, { store }) => store.id],
  ['odd-values', 'the line ends of Windows in names', 0.06, names, (text: string) => `${text}\r`],
  ['odd-values', 'a zero-width space in names', 0.06, names, 'Rent\u200B Ride'],
  ['odd-values', 'a bell in names', 0.06, names, 'a\u0007b'],
  ['odd-values', 'escapes in descriptions', 0.06, texts, '\u001B[1mA'],
  ['descriptions', 'a notice before texts', 0.6, texts, (text: string) => `TEST: ${text}`],
  [
    'descriptions lost',
    'no descriptions in one language',
    1,
    'profile.description',
    (all: object) => Object.fromEntries(Object.entries(all).slice(0, 1)),
  ],
  ['descriptions lost', 'descriptions cut', 0.35, texts, (text: string) => text.slice(0, 20)],
  ['empty-descriptions', 'no descriptions at all', 1, texts, ''],
  ['equal-descriptions', 'descriptions are a placeholder', 0.1, texts, 'Lorem ipsum'],
  ['language-nl', 'every language', 0.25, 'localization.available', LANGUAGES],
  [
    'language-en',
    'one language left',
    1,
    'localization.available',
    (_, { store }) => [store.localization.default],
  ],
  ['verticale-boat', 'all verticales for a fifth', 0.2, 'profile.verticales', VERTICALES],
  ['verticale-bike', 'no verticales', 0.2, 'profile.verticales', []],
  ['verticale-ski', 'no skis any more', (stores) => stores.map(withoutVerticale('SKI'))],
  ['error-text', 'pages of no shop', 0.06, pages, (url: string) => `${url}/undefined/rent`],
  ['equal-page-urls', 'one page', 1, pages, 'https://rentals.example/'],
  ['page-url', 'page URLs of an eighth equal', 0.125, pages, 'https://rentals.example/404'],
  ['page-url, private-links', 'pages of staging', 1, pages, onHost('staging.rentals.example')],
  ...[
    'localhost:3000',
    '10.0.0.7',
    'shop.local',
    '[::1]',
    'intranet',
    '172.20.1.1',
    'dev.shop.example',
    'www.example.com',
  ].map((host): BrokenExport => ['private-links', `pages at ${host}`, 0.06, pages, onHost(host)]),
  [
    'private-links',
    'a password in pages',
    0.06,
    pages,
    (url: string) => url.replace('://', '://admin:hunter2@'),
  ],
  ['private-links', 'paths of logos', 0.06, 'branding.logoURL', '/images/logo.png'],
  ['odd-values', 'pictures for pages', 0.06, pages, (url: string) => `${url}.jpg`],
  ['other', 'one logo', 0.6, 'branding.logoURL', 'https://images.example/logo.png'],
];

const points = 'geo.**.point';
const rentalPoints = 'geo.rentalPoints.*.point';
const negated = (degrees: number) => -degrees;
const plus = (more: number) => (degrees: number) => degrees + more;
/** Latitude and longitude swapped, where that is a point. */
const swapped = ({ lat, lng }: Point) =>
  Math.abs(lng) > 90 ? { lat, lng } : { lat: lng, lng: lat };

type Parts = SourceStore['geo']['main']['components'];

const PLACES: readonly BrokenExport[] = [
  [
    'odd-values',
    'columns of addresses shifted to the right',
    0.2,
    'geo.main.components',
    ({ street, postalCode, city, ...parts }: Parts) => {
      return { ...parts, street: '', postalCode: street, city: postalCode, country: city };
    },
  ],
  [
    'odd-values',
    'columns of addresses shifted to the left',
    0.2,
    'geo.main.components',
    ({ postalCode, city, country, ...parts }: Parts) => {
      return { ...parts, street: postalCode, postalCode: city, city: country, country: '' };
    },
  ],
  [
    'odd-values',
    'cities and countries swapped',
    0.1,
    'geo.**.components',
    ({ city, country, ...parts }: Parts) => ({ ...parts, city: country, country: city }),
  ],
  [
    'odd-values',
    'cities for countries',
    0.1,
    'geo.**.components',
    ({ city, ...parts }: Parts) => ({ ...parts, city, country: city }),
  ],
  ['odd-values', 'postcodes as fractions', 0.1, 'geo.**.postalCode', '75001.0'],
  ['odd-values', 'cities with their postcodes', 0.1, 'geo.**.city', '10115 Berlin'],
  ['odd-values', 'countries by number', 0.1, 'geo.**.country', 'FR-250'],
  ['zero-points', 'decimals lost', 0.2, `${points}.*`, Math.trunc],
  ['far-points', 'signs of longitudes lost', 1, `${points}.lng`, Math.abs],
  ['far-points', 'latitudes of the other half of the world', 0.06, `${points}.lat`, negated],
  ['far-points', 'points of the next store', 0.2, points, (_, { next }) => next.geo.main.point],
  ['position', 'a tenth moved by 1 km', 0.1, `${points}.lat`, plus(0.009)],
  ['position', 'rental points moved by 55 km', 1, `${rentalPoints}.lat`, plus(0.5)],
  ['position', 'rental points with longitude negated', 1, `${rentalPoints}.lng`, negated],
  [
    'position',
    'rental points at the main point',
    1,
    rentalPoints,
    (_, { store }) => store.geo.main.point,
  ],
  ['far-points, position', 'points swapped', 1, points, swapped],
  ['zero-points', 'latitudes twice', 0.1, points, ({ lat }: Point) => ({ lat, lng: lat })],
  ['zero-points', 'longitudes lost', 0.1, `${points}.lng`, 0],
  ['zero-points, equal-points', 'a tenth at 0, 0', 0.1, points, { lat: 0, lng: 0 }],
  [
    'error-text',
    'addresses without a street',
    0.06,
    'geo.main.address',
    (address: string) => `null, ${address}, undefined`,
  ],
  ['shown', 'all hidden addresses shown', 1, 'geo.displayAddress', true],
  ['addresses lost', 'an eighth hidden', 0.125, 'geo.displayAddress', false],
  [
    'addresses',
    'addresses of the next store',
    0.2,
    'geo.main.address',
    (_, { next }) => next.geo.main.address,
  ],
  ['country', 'one country', 0.06, 'geo.**.country', 'Elsewhere'],
  [
    'addresses lost',
    'leading zeros of postcodes lost',
    1,
    'geo.**.postalCode',
    (code: string) => code.replace(/^0+(?=\d)/, ''),
  ],
];

const allDay = { id: 'all', day: '*', from: '09:00', to: '18:00', open: true };
const turned = (ranges: readonly Range[]) =>
  ranges.map(({ from, to, ...range }) => ({ ...range, from: to, to: from }));
/** On a clock of twelve hours. */
const halved = (rows: readonly Range[]) => {
  const half = (time: string) => `${String(Number(time.slice(0, 2)) % 12).padStart(2, '0')}:00`;
  return rows.map((row) => ({ ...row, from: half(row.from), to: half(row.to) }));
};

const TIMES: readonly BrokenExport[] = [
  [
    'far-points, time-zone',
    'time zones of New York',
    0.06,
    'temporal.timezone',
    'America/New_York',
  ],
  ['odd-values, time-zone', 'time zones are UTC', 0.06, 'temporal.timezone', 'UTC'],
  ['hours', 'one schedule for most', 0.6, hours, [allDay]],
  ['odd-values', 'closed for a year', 0.06, closed, closing('2027-01-01', '2027-12-31')],
  ['hours, odd-values', 'closed for good', 1, closed, closing('2027-07-01', '2099-12-31')],
  ['odd-values', 'hours that end as they begin', 0.06, hours, [{ ...allDay, to: '09:00' }]],
  ['closed-by-day', 'opening hours reversed', 0.06, hours, turned],
  ['closed-by-day', 'afternoons written as nights', 0.2, hours, halved],
  [
    'odd-values',
    'created in the future',
    0.06,
    'metadata.timestamps.createdAt',
    '2099-12-31T00:00:00Z',
  ],
  ['hours', 'closing days a day late', 1, closed, later(1)],
  ['hours lost', 'no closing days', 0.4, closed, []],
  ['reversed-dates', 'closing days end before they begin', 0.2, closed, turned],
];

const rules = 'pricing.discount.categoryDiscounts.*.rules.*';
const percentages = 'pricing.discount.globalDiscounts.*.percentage';
const deliveries = 'modules.delivery.ranges';
const ranges = `${deliveries}.*`;
const scaled =
  (factor: number) =>
  ({ min, max, ...range }: Delivery) => ({ ...range, min: factor * min, max: factor * max });
const prices = `${ranges}.price`;
const rating = 'reviews.external.rating';

/** One delivery after the other, up to these distances. */
const upTo = (...distances: readonly number[]) =>
  distances.map((max, index) => {
    return { min: distances[index - 1] ?? 0, max, price: 5, specificPrices: [] };
  });

const SETTINGS: readonly BrokenExport[] = [
  ['currency', 'another currency', 0.1, 'pricing.currency.isoCode', 'GBP'],
  ['odd-values', 'an ounce of gold', 0.06, 'pricing.currency', { isoCode: 'XAU', symbol: '' }],
  ['odd-values', 'a symbol of another currency', 0.2, 'pricing.currency.symbol', '$'],
  ['odd-values, prices lost', 'delivery prices in cents', 0.49, prices, times(100)],
  ['odd-values', 'delivery ranges in metres', 1, ranges, scaled(1000)],
  ['odd-values', 'short deliveries in metres', 0.1, deliveries, upTo(500, 1500)],
  ['odd-values', 'deliveries in thousands of kilometres', 0.1, ranges, scaled(1 / 1000)],
  ['prices lost', 'delivery is free', 0.49, prices, 0],
  ['prices', 'delivery prices with tax', 1, prices, times(1.2)],
  ['odd-values, tax lost', 'taxes as fractions', 0.25, 'pricing.tax.value', times(0.01)],
  ['odd-values', 'taxes of a bill', 0.1, 'pricing.tax.value', 99],
  ['tax', 'one tax', 1, 'pricing.tax.value', 19.6],
  ['prices lost', 'discounts of 0 %', 1, percentages, 0],
  ['odd-values, prices lost', 'discounts as fractions', 1, percentages, times(0.01)],
  ['odd-values', 'discounts of 100 %', 1, percentages, 100],
  ['prices lost', 'no discounts', 0.1, 'pricing.discount.*', []],
  [
    'odd-values',
    'discounts over 100 %',
    0.2,
    rules,
    (rule: Rule) => ({ ...rule, discountType: 'PERCENTAGE', discount: rule.discount * 100 }),
  ],
  [
    'odd-values',
    'discounts end before they begin',
    0.2,
    rules,
    (rule: Rule) => ({ ...rule, rangeFrom: rule.rangeTo + 1, rangeTo: 1, infiniteTo: false }),
  ],
  [
    'odd-values',
    'delivery ranges reversed',
    0.2,
    ranges,
    (range: Delivery) => ({ ...range, min: range.max, max: range.min }),
  ],
  ['modules', 'no payment online', 0.3, 'modules.onlinePayment.enabled', false],
  [
    'odd-values',
    'refunds over 100 %',
    0.2,
    'modules.cancellation.ranges.*.refundAmount',
    times(100),
  ],
  ['odd-values', 'a billion reviews', 0.1, 'reviews.external.total', 1e9],
  ['odd-values', 'lead times in seconds', 0.06, 'booking.rules.leadTime.minHours', 86_400],
  ['booking', 'no lead times', 0.3, 'booking.rules.leadTime.minHours', 0],
  [
    'odd-values',
    'longest booking shorter than the shortest',
    0.1,
    'booking.rules.duration',
    { minHours: 48, maxHours: 2 },
  ],
  ['odd-values, reviews lost', 'ratings out of 1', 0.1, rating, times(0.2)],
  ['reviews lost', 'one bad rating', 0.1, rating, 1],
  ['odd-values, reviews lost', 'ratings zero', 0.1, rating, 0],
  ['odd-values', 'fewer reviews than are shown', 0.1, 'reviews.external.total', 0],
  ['reviews lost', 'no pages of reviews', 0.1, 'reviews.external.mapsUrl', ''],
];

/** 48° 51' as 48.51. */
const inMinutes = (degrees: number) => Math.trunc(degrees) + (degrees % 1) * 0.6;
/** Hours on a clock that lies behind. */
const earlier = (count: number) => (rows: readonly Range[]) => {
  const at = (time: string) => {
    const hour = (Number(time.slice(0, 2)) + 24 - count) % 24;
    return `${String(hour).padStart(2, '0')}${time.slice(2)}`;
  };
  return rows.map((row) => ({ ...row, from: at(row.from), to: at(row.to) }));
};
const untranslated = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(texts).map((language) => [language, Object.values(texts)[0]]));
const noHours = { openingHours: [], openingHoursLowSeason: [] };

/** First publications that may be meant, so that a warning names them. */
export const DOUBTFUL: readonly BrokenExport[] = [
  [
    'never-open',
    'no opening hours',
    1,
    'temporal.schedule',
    (all: object) => ({ ...all, ...noHours }),
  ],
  ['never-open', 'opening hours that say closed', 1, 'temporal.**.open', false],
  ['empty-cities', 'no cities', 1, 'geo.**.city', ''],
  ['foreign-zones', 'the time zone of a server', 1, 'temporal.timezone', 'Africa/Abidjan'],
  ['empty-postcodes', 'no postcodes', 1, 'geo.**.postalCode', ''],
  ['empty-streets', 'no streets', 1, 'geo.**.street', ''],
  ['empty-countries', 'no countries', 1, 'geo.**.country', ''],
  ['coarse-points', 'two decimals', 1, `${points}.*`, times(1)],
  ['minute-points, far-points', 'degrees and minutes for degrees', 1, `${points}.*`, inMinutes],
  ['always-open', 'midnight for all times', 1, hours, [{ ...allDay, from: '00:00', to: '00:00' }]],
  ['utc-hours', 'hours of Paris in UTC', 1, hours, earlier(2)],
  ['utc-hours', 'hours of Los Angeles in UTC', 1, hours, earlier(-8)],
  ['equal-ratings', 'one rating', 1, rating, 4.6],
  ['equal-languages', 'one text in all languages', 1, 'profile.description', untranslated],
  ['empty-addresses', 'no addresses', 1, 'geo.**.address', ''],
  ['every-verticale', 'every verticale', 1, 'profile.verticales', VERTICALES],
  ['empty-verticales', 'no verticales', 1, 'profile.verticales', []],
  ['hidden-addresses', 'all addresses hidden', 1, 'geo.displayAddress', false],
  ['equal-addresses', 'the address of the head office', 1, 'geo.main.address', '1 Main Street'],
  ['equal-authors', 'comments by one author', 1, 'reviews.external.reviews.*.author.name', 'Ann'],
  ['equal-reviews', 'the reviews of one place', 1, 'reviews.external.placeId', 'pl_1'],
  [
    'cut-descriptions',
    'descriptions of 255 characters',
    1,
    texts,
    (text: string) => text.slice(0, 255),
  ],
];

export const BROKEN: readonly BrokenExport[] = [
  ...STORES,
  ...TEXTS,
  ...PLACES,
  ...TIMES,
  ...SETTINGS,
];
