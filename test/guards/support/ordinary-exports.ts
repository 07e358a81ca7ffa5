/** What happens to an export within an hour or a night, and is right, for each guard. */
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { addressPart, type ExportCase, edited, places, share, times } from './export-changes.ts';

type Schedule = SourceStore['temporal']['schedule'];
type Reviews = SourceStore['reviews']['external'];

interface OrdinaryExport extends ExportCase {
  /** Rows of the guards that the data team passes by hand. */
  readonly allow?: readonly string[];
}

/** Stores that no other seed makes. */
const NEW = [...generateStores(12, { seed: 70_022, languages: 2 })].map((store) => ({
  ...store,
  slug: `${store.slug}-new`,
}));

function removed(stores: readonly SourceStore[], part: number): SourceStore[] {
  const gone = share(stores, part);
  return stores.filter((store) => !gone.has(store));
}

const moved = (metres: number) => (point: SourceStore['geo']['main']['point']) => ({
  ...point,
  lat: point.lat + metres / 111_320,
});
const closedInJuly = (ranges: Schedule['closedRanges']) => [
  ...ranges,
  { id: 'july', from: '2027-07-14T00:00:00.000Z', to: '2027-07-14T23:59:59.999Z' },
];
/** As shops close at the end of a year. */
const closedAtChristmas = (ranges: Schedule['closedRanges']) => [
  ...ranges,
  { id: 'christmas', from: '2027-12-24T00:00:00.000Z', to: '2027-12-26T23:59:59.999Z' },
];
const nextYear = (ranges: Schedule['closedRanges']) =>
  ranges.map(({ id, from, to }) => ({ id: `${id}-next`, from: later(from), to: later(to) }));
const later = (date: string) => new Date(Date.parse(date) + 364 * 86_400_000).toISOString();
const closed = 'temporal.schedule.closedRanges';
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

export const ORDINARY: readonly OrdinaryExport[] = [
  { name: 'another order', change: (stores) => stores.toReversed() },
  { name: '10 % of stores added', change: (stores) => [...stores, ...NEW] },
  { name: '5 % of stores removed', change: (stores) => removed(stores, 0.05) },
  edited('slugs of 1 % changed', 0.01, ['slug', (slug: string) => `${slug}-rentals`]),
  edited('a chain renamed', 0.05, ['profile.name', (name: string) => `São Roller – ${name}`]),
  edited('names with signs of all kinds', 0.02, [
    'profile.name',
    'L’Été à vélo 🚲 “Zürich” & Łódź',
  ]),
  edited('names with an emoji of several', 0.1, [
    'profile.name',
    (name: string) => `${name} 🚴\u200D♀️`,
  ]),
  edited('one store with a name like an error', 0.0025, ['profile.name', 'NULL Bikes']),
  edited('descriptions of 12 % corrected', 0.12, [
    'profile.description.*',
    (text: string) => text.replace('.', '!'),
  ]),
  edited('one store without a description', 0.0025, ['profile.description.*', '']),
  edited('a new language for 10 %', 0.1, [
    'localization.available',
    (words: readonly string[]) => [...new Set([...words, 'pl'])],
  ]),
  edited('2 % with one verticale only', 0.02, [
    'profile.verticales',
    (words: readonly string[]) => words.slice(0, 1),
  ]),
  edited('reviews of half in a night', 0.5, ['reviews.external', reviewed]),
  edited('1 % in the right time zone', 0.01, ['temporal.timezone', 'Europe/Lisbon']),
  {
    ...edited('season hours for all, past midnight', 1, [
      'temporal.schedule.openingHours',
      pastMidnight,
    ]),
    allow: ['hours'],
  },
  edited('closing days added for 15 %', 0.15, [closed, closedInJuly]),
  edited('closed at Christmas', 1, [closed, closedAtChristmas]),
  edited(
    'closures and seasons a year later',
    1,
    [closed, nextYear],
    ['temporal.schedule.lowSeasonRanges', nextYear],
  ),
  edited('closing days that are over left out', 0.45, [
    closed,
    (ranges: Schedule['closedRanges']) => ranges.filter(({ to }) => to > '2027-06-01'),
  ]),
  edited('1 % with euros', 0.01, ['pricing.currency', () => ({ isoCode: 'EUR', symbol: '€' })]),
  edited('delivery of all of a country 5 % dearer', 0.4, [
    'modules.delivery.ranges.*.price',
    times(1.05),
  ]),
  edited('new texts in one language', 0.45, [
    'profile.description',
    (texts: Record<string, string>, { store }) => ({
      ...texts,
      [store.localization.default]: `${texts[store.localization.default]} 2027!`,
    }),
  ]),
  edited('new photos', 0.45, ['branding.banners.urls.*', (url: string) => `${url}?2027`]),
  edited('summer hours of a region', 0.45, ['temporal.schedule.openingHours', pastMidnight]),
  edited("a chain's delivery 8 % dearer", 0.05, ['modules.delivery.ranges.*.price', times(1.08)]),
  edited('a new way to pay for 5 %', 0.05, ['modules.onlinePayment.methods.walletA', true]),
  edited('refunds of 150 in money for 8 %', 0.08, [
    'modules.cancellation.ranges',
    [{ hourThreshold: 24, refundType: 'AMOUNT', refundAmount: 150 }],
  ]),
  edited('4 % book at once', 0.04, ['booking.instantBooking.lcd', true]),
  edited('the country of 1 % corrected', 0.01, ...addressPart('country', 'Belgique')),
  edited('postcodes of 2 % corrected', 0.02, ...places('components.postalCode', '04109')),
  edited('house numbers of 3 %', 0.03, ['geo.main.components.streetNumber', '12 bis']),
  edited('1 % moved to another town', 0.01, ['geo.main.point', moved(40_000)]),
  edited('20 % found 30 m away', 0.2, ...places('point', moved(30))),
  edited('addresses of 1 % hidden', 0.01, ['geo.displayAddress', false]),
  edited('a chain with pages of its own', 0.03, [
    'pageUrl',
    (_, { store }) => `https://chain.example/${store.slug}`,
  ]),
  edited("a chain's new logo", 0.05, ['branding.logoURL', 'https://images.example/chain/logo.png']),
];
