/** What happens to an export within an hour or a night, and is right, for each guard. */
import { changeAt } from '../../../fixtures/changed-store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import {
  closed,
  closing,
  type ExportChange,
  FOREIGN,
  hours,
  later,
  share,
  times,
} from './export-changes.ts';

type Schedule = SourceStore['temporal']['schedule'];
type Reviews = SourceStore['reviews']['external'];

const northwards = (metres: number) => (latitude: number) => latitude + metres / 111_320;
const renewed = (ranges: Schedule['closedRanges']) =>
  later(364)(ranges).map((range) => ({ ...range, id: `${range.id}-next` }));
const nextYear = ({ closedRanges, lowSeasonRanges, ...schedule }: Schedule) => ({
  ...schedule,
  closedRanges: renewed(closedRanges),
  lowSeasonRanges: renewed(lowSeasonRanges),
});
const pastMidnight = (rows: Schedule['openingHours']) =>
  rows.map((row) => ({ ...row, to: row.to > '16' ? '01:00' : row.to }));

/** A few more reviews, as a platform sends them at night. */
const reviewed = (reviews: Reviews, { index }: { index: number }): Reviews =>
  reviews && {
    ...reviews,
    rating: Math.min(5, times(1)(reviews.rating + ((index % 3) - 1) / 10)),
    total: reviews.total + 1 + (index % 4),
    reviews: [...reviews.reviews.slice(1), ...reviews.reviews.slice(0, 1)],
    updatedAt: '2026-10-02T01:30:00.000Z',
  };

const names = 'profile.name';
const prices = 'modules.delivery.ranges.*.price';

export type OrdinaryExport = [name: string, ...ExportChange];

export const ORDINARY: readonly OrdinaryExport[] = [
  ['another order', (stores) => stores.toReversed()],
  ['10 % of stores added', (stores) => [...stores, ...FOREIGN.slice(0, 12)]],
  [
    '5 % of stores removed',
    (stores) => {
      const gone = share(stores, 0.05);
      return stores.filter((store) => !gone.has(store));
    },
  ],
  ['slugs of 1 % changed', 0.01, 'slug', (slug: string) => `${slug}-rentals`],
  ['a chain renamed', 0.05, names, (name: string) => `São Roller – ${name}`],
  ['names with signs of all kinds', 0.02, names, 'L’Été à vélo 🚲 “Zürich” & Łódź'],
  ['names with an emoji of several', 0.1, names, (name: string) => `${name} 🚴\u200D♀️`],
  ['one store with a name like an error', 0.01, names, 'NULL Bikes'],
  [
    'descriptions of 12 % corrected',
    0.12,
    'profile.description.*',
    (text: string) => text.replace('.', '!'),
  ],
  ['one store without a description', 0.01, 'profile.description.*', ''],
  [
    'a new language for 10 %',
    0.1,
    'localization.available',
    (words: readonly string[]) => [...new Set([...words, 'pl'])],
  ],
  [
    '2 % with one verticale only',
    0.02,
    'profile.verticales',
    (words: readonly string[]) => words.slice(0, 1),
  ],
  ['reviews of half in a night', 0.5, 'reviews.external', reviewed],
  ['1 % in the right time zone', 0.01, 'temporal.timezone', 'Europe/Lisbon'],
  ['season hours for all, past midnight', 1, hours, pastMidnight],
  ['closing days added for 15 %', 0.15, closed, closing('2027-07-14', '2027-07-14')],
  ['closed at Christmas', 1, closed, closing('2027-12-24', '2027-12-26')],
  ['closures and seasons a year later', 1, 'temporal.schedule', nextYear],
  [
    'closing days that are over left out',
    0.45,
    closed,
    (ranges: Schedule['closedRanges']) => ranges.filter(({ to }) => to > '2027-06-01'),
  ],
  ['1 % with euros', 0.01, 'pricing.currency', { isoCode: 'EUR', symbol: '€' }],
  ['delivery of all of a country 5 % dearer', 0.4, prices, times(1.05)],
  [
    'new texts in one language',
    0.45,
    'profile.description',
    (texts: Record<string, string>, { store }) => ({
      ...texts,
      [store.localization.default]: `${texts[store.localization.default]} 2027!`,
    }),
  ],
  ['new photos', 0.45, 'branding.banners.urls.*', (url: string) => `${url}?2027`],
  ['summer hours of a region', 0.45, hours, pastMidnight],
  ["a chain's delivery 8 % dearer", 0.05, prices, times(1.08)],
  ['a new way to pay for 5 %', 0.05, 'modules.onlinePayment.methods.walletA', true],
  [
    'refunds of 150 in money for 8 %',
    0.08,
    'modules.cancellation.ranges',
    [{ hourThreshold: 24, refundType: 'AMOUNT', refundAmount: 150 }],
  ],
  ['4 % book at once', 0.04, 'booking.instantBooking.lcd', true],
  ['the country of 1 % corrected', 0.01, 'geo.**.country', 'Belgique'],
  ['postcodes of 2 % corrected', 0.02, 'geo.**.components.postalCode', '04109'],
  ['house numbers of 3 %', 0.03, 'geo.main.components.streetNumber', '12 bis'],
  ['1 % moved to another town', 0.01, 'geo.main.point.lat', northwards(40_000)],
  ['20 % found 30 m away', 0.2, 'geo.**.point.lat', northwards(30)],
  ['addresses of 1 % hidden', 0.01, 'geo.displayAddress', false],
  [
    'a chain with pages of its own',
    0.03,
    'pageUrl',
    (_, { store }) => `https://chain.example/${store.slug}`,
  ],
  ["a chain's new logo", 0.05, 'branding.logoURL', 'https://images.example/chain/logo.png'],
];

/** One of several for each store. */
const oneOf =
  <Value>(values: readonly Value[]) =>
  (_: unknown, { index }: { index: number }) =>
    values[index % values.length];
const opened = (...times: readonly string[]) =>
  times.map((time) => {
    const [from = '', to = ''] = time.split('-');
    return { id: time, day: '*', from, to, open: true };
  });
const within = (max: number) => (range: object) => ({ ...range, min: 0, max });
const rules = 'pricing.discount.categoryDiscounts.*.rules.*';
const description = 'profile.description.*';

const FAR_AWAY: readonly [lat: number, lng: number, country: string, timezone: string][] = [
  [-20.88, 55.45, 'France', 'Indian/Reunion'],
  [28.1, -15.43, 'España', 'Atlantic/Canary'],
  [18.46, -66.1, 'United States', 'America/Puerto_Rico'],
  [21.3, -157.86, 'USA', 'Pacific/Honolulu'],
  [47.5595, 7.589, 'Schweiz', 'Europe/Zurich'],
  [54.18, 7.88, 'Deutschland', 'Europe/Berlin'],
  [36.14, -5.35, 'Gibraltar', 'Europe/Madrid'],
  [64.14, -21.9, 'Ísland', 'Atlantic/Reykjavik'],
  [1.35, 103.8, 'SG', 'Asia/Singapore'],
  [-33.87, 151.2, 'Down Under', 'Australia/Sydney'],
];
/** A store where its country is small or far from the rest of it, whatever language names it. */
function overseas(store: SourceStore, index: number): SourceStore {
  const [lat, lng, country, timezone] = FAR_AWAY[index % FAR_AWAY.length] as (typeof FAR_AWAY)[0];
  const changes: [string, unknown][] = [
    ['geo.**.point', { lat: lat + index / 1e5, lng: lng + index / 1e5 }],
    ['geo.**.country', country],
    ['temporal.timezone', timezone],
  ];
  return changes.reduce((made, [path, value]) => changeAt(made, path, () => value), store);
}

/** Directories that an owner may have, whatever is unusual in them. */
export const DIRECTORIES: readonly OrdinaryExport[] = [
  ['of all kinds', (stores) => [...stores]],
  ['without canonical parts of addresses', 1, 'geo.main.canonicalComponents.*', ''],
  ['lockers that are always open', 0.7, hours, opened('00:00-00:00')],
  [
    'open at all hours',
    1,
    hours,
    oneOf(
      [
        ...[
          '00:00-23:59',
          '06:00-05:00',
          '18:00-02:00',
          '11:00-04:00',
          '05:30-08:30',
          '21:00-23:30',
        ],
        ...['08:00-07:59', '22:00-06:00'],
      ].map((time) => opened(time)),
    ),
  ],
  ['nights cut at midnight', 1, hours, opened('18:00-23:59', '00:00-03:00')],
  ['closed from autumn to spring', 1, closed, closing('2026-10-01', '2027-05-31')],
  ['some without opening hours', 0.6, hours, []],
  ['islands and ski stations without a city', 0.6, 'geo.**.city', ''],
  ['addresses of some hidden', 0.5, 'geo.displayAddress', false],
  ['overseas, on islands and at borders', (stores) => stores.map(overseas)],
  ['of one town', 1, 'geo.**.city', 'Singapore'],
  [
    'in towns of all names',
    1,
    'geo.**.city',
    oneOf(['Marseille 08', 'Å', '北京', "'s-Hertogenbosch"]),
  ],
  [
    'with postcodes of all forms',
    1,
    'geo.**.postalCode',
    oneOf(['', 'VLT 1117', 'BS1 5DB', '00-950']),
  ],
  [
    'with currencies of all kinds',
    1,
    'pricing.currency',
    oneOf([
      { isoCode: 'JPY', symbol: '¥' },
      { isoCode: 'XPF', symbol: 'F' },
      { isoCode: 'EUR', symbol: 'EUR' },
      { isoCode: 'EUR', symbol: '' },
    ]),
  ],
  ['delivered everywhere', 1, 'modules.delivery.ranges.*', within(99_999)],
  ['delivered in the country', 1, 'modules.delivery.ranges.*', within(1_000)],
  ['without tax', 1, 'pricing.tax.value', 0],
  [
    'discounts without an end',
    1,
    rules,
    (rule: object) => ({ ...rule, rangeTo: 0, infiniteTo: true }),
  ],
  ['founded together', 1, 'metadata.timestamps.createdAt', '2026-01-01T00:00:00Z'],
  ['descriptions without an end', 1, description, (text: string) => text.replace(/[.!?]$/, '')],
  ['names with a number', 1, names, (name: string, { index }) => `${index} ${name} @ 2 & Co.`],
  ['without reviews', 1, 'reviews.external', null],
  ['without logos', 1, 'branding.logoURL', ''],
];
