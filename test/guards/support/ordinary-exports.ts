/** What happens to an export within an hour or a night, and is right. */
import { generateStores } from '../../../fixtures/generator/store.ts';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import {
  daysLater,
  type Edit,
  type ExportCase,
  edit,
  edited,
  hoursLater,
  places,
  share,
} from './edited-exports.ts';
import { ORDINARY_SETTINGS } from './ordinary-settings.ts';

type Schedule = SourceStore['temporal']['schedule'];
type Point = SourceStore['geo']['main']['point'];

/** Stores that no other seed makes. */
const NEW = [...generateStores(20, { seed: 70_022, languages: 2 })].map((store) => ({
  ...store,
  slug: `${store.slug}-new`,
}));

const only = (
  name: string,
  chosen: (stores: readonly SourceStore[]) => SourceStore[],
  ...edits: Edit[]
): ExportCase => ({ name, change: (stores) => edit(stores, new Set(chosen(stores)), edits) });

/** The stores of the country that has about 15 % of them. */
function ofCountry(stores: readonly SourceStore[]): SourceStore[] {
  const countries = Object.values(
    Object.groupBy(stores, ({ geo }) => geo.main.canonicalComponents.country),
  );
  const distance = (group: readonly SourceStore[]) => Math.abs(group.length / stores.length - 0.15);
  return countries
    .flatMap((group) => (group ? [group] : []))
    .reduce((best, group) => (distance(group) < distance(best) ? group : best));
}

function removed(stores: readonly SourceStore[], part: number): SourceStore[] {
  const gone = share(stores, part);
  return stores.filter((store) => !gone.has(store));
}

const moved = (metres: number) => (point: Point) => ({
  ...point,
  lat: point.lat + metres / 111_320,
});
const closedOn = (day: string) => (ranges: Schedule['closedRanges']) => [
  ...ranges,
  { id: `closed-${day}`, from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` },
];
const anHourLonger = (rows: Schedule['openingHours']) =>
  rows.map((row) => ({ ...row, to: row.open && row.to > '16' ? hoursLater(1)(row.to) : row.to }));

const STORES: readonly ExportCase[] = [
  { name: 'nothing', change: (stores) => [...stores] },
  { name: 'another order', change: (stores) => stores.toReversed() },
  { name: 'one store added', change: (stores) => [...stores, ...NEW.slice(0, 1)] },
  { name: '5 % of stores added', change: (stores) => [...stores, ...NEW] },
  { name: 'one store removed', change: (stores) => stores.slice(1) },
  { name: '5 % of stores removed', change: (stores) => removed(stores, 0.05) },
  {
    name: '3 % of stores removed, as many added',
    change: (stores) => [...removed(stores, 0.03), ...NEW.slice(0, 12)],
  },
  edited('slugs of 1 % changed', 0.01, ['slug', (slug: string) => `${slug}-rentals`]),
];

const TEXTS: readonly ExportCase[] = [
  edited('3 % renamed', 0.03, ['profile.name', (name: string) => `${name} & Fils`]),
  edited('a chain renamed', 0.05, ['profile.name', (name: string) => `São Roller – ${name}`]),
  edited('names with signs of all kinds', 0.02, [
    'profile.name',
    'L’Été à vélo 🚲 “Zürich” & Łódź',
  ]),
  edited('one store with a name like an error', 0.0025, ['profile.name', 'NULL Bikes']),
  edited('one name escaped', 0.0025, ['profile.name', 'Rent &amp; Ride']),
  edited('descriptions of 5 % written anew', 0.05, [
    'profile.description.*',
    (_, { store }) => `New in ${store.geo.main.components.city}: ${store.profile.name}`,
  ]),
  edited('descriptions of 12 % corrected', 0.12, [
    'profile.description.*',
    (text: string) => text.replace('.', '!'),
  ]),
  edited('one store without a description', 0.0025, ['profile.description.*', '']),
  edited('a new language for 10 %', 0.1, [
    'localization.available',
    (words: readonly string[]) => [...new Set([...words, 'pl'])],
  ]),
  edited('descriptions in a new language for 5 %', 0.05, [
    'profile.description',
    (map: object) => ({ ...map, pl: 'Wypożyczalnia dla całej rodziny' }),
  ]),
  edited('another default language for 1 %', 0.01, [
    'localization',
    ({ available }: SourceStore['localization']) => ({ default: available.at(-1), available }),
  ]),
  edited('a new verticale for 4 %', 0.04, [
    'profile.verticales',
    (words: readonly string[]) => [...new Set([...words, 'ELECTRIC_BIKE'])],
  ]),
  edited('2 % with one verticale only', 0.02, [
    'profile.verticales',
    (words: readonly string[]) => words.slice(0, 1),
  ]),
];

const LINKS: readonly ExportCase[] = [
  edited("a chain's social media changed", 0.05, [
    'contact.socialMedia.socialA',
    'https://social-a.example/chain',
  ]),
  edited('2 % leave a social network', 0.02, ['contact.socialMedia.socialC', null]),
  edited("a chain's new logo", 0.05, ['branding.logoURL', 'https://images.example/chain/logo.png']),
  edited('banners of winter for 10 %', 0.1, [
    'branding.banners.urls',
    (urls: readonly string[]) => ['https://images.example/winter.jpg', ...urls.slice(1)],
  ]),
  edited('banners of 3 % slower', 0.03, ['branding.banners.scrollTime', 6]),
  edited('a chain with pages of its own', 0.03, [
    'pageUrl',
    (_, { store }) => `https://chain.example/${store.slug}`,
  ]),
];

const PLACES: readonly ExportCase[] = [
  only(
    'five addresses hidden',
    (stores) => stores.filter(({ geo }) => geo.displayAddress).slice(0, 5),
    ['geo.displayAddress', false],
  ),
  only(
    'one address shown',
    (stores) => stores.filter(({ geo }) => !geo.displayAddress).slice(0, 1),
    ['geo.displayAddress', true],
  ),
  edited(
    '2 % moved across the town',
    0.02,
    ['geo.main.point', moved(3_000)],
    ['geo.main.components.street', 'Rue Neuve'],
  ),
  edited(
    '1 % moved to another town',
    0.01,
    ['geo.main.point', moved(40_000)],
    ['geo.main.components.city', 'Neustadt'],
  ),
  edited('20 % found 30 m away', 0.2, ...places('point', moved(30))),
  edited('postcodes of 2 % corrected', 0.02, ...places('components.postalCode', '04109')),
  edited('house numbers of 3 %', 0.03, ['geo.main.components.streetNumber', '12 bis']),
  edited('2 % without a rental point', 0.02, ['geo.rentalPoints', []]),
  edited('a new rental point for 3 %', 0.03, [
    'geo.rentalPoints',
    (points: SourceStore['geo']['rentalPoints'], { store }) => [
      ...points,
      {
        ...store.geo.main,
        slug: 'harbour',
        name: 'Harbour',
        point: moved(900)(store.geo.main.point),
      },
    ],
  ]),
];

const HOURS: readonly ExportCase[] = [
  {
    ...edited('season hours for all', 1, ['temporal.schedule.openingHours', anHourLonger]),
    allow: ['hours'],
  },
  edited('other hours for 5 %', 0.05, ['temporal.schedule.openingHours', anHourLonger]),
  only('closing days added for a country', ofCountry, [
    'temporal.schedule.closedRanges',
    closedOn('2027-07-14'),
  ]),
  edited('2 % on holiday', 0.02, ['temporal.schedule.closedRanges', closedOn('2026-10-02')]),
  edited('closing days of 6 % over', 0.06, [
    'temporal.schedule.closedRanges',
    (ranges: Schedule['closedRanges']) => ranges.slice(1),
  ]),
  edited('low seasons of 5 % begin later', 0.05, [
    'temporal.schedule.lowSeasonRanges.*.from',
    daysLater(7),
  ]),
  edited('one store closed for good', 0.0025, ['temporal.schedule.openingHours', []]),
];

export const ORDINARY: readonly ExportCase[] = [
  ...STORES,
  ...TEXTS,
  ...LINKS,
  ...PLACES,
  ...HOURS,
  ...ORDINARY_SETTINGS,
];
