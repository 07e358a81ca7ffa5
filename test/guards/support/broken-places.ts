/** Exports whose positions, addresses or opening hours are broken. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import {
  daysLater,
  type Edit,
  type ExportCase,
  edited,
  hoursLater,
  ofNext,
  places,
} from './edited-exports.ts';

type Point = SourceStore['geo']['main']['point'];
type Row = SourceStore['temporal']['schedule']['openingHours'][number];
type Range = SourceStore['temporal']['schedule']['closedRanges'][number];

const KILOMETRE = 1 / 111.32;

const points = (title: string, part: number, change: (point: Point) => Point) =>
  edited(title, part, ...places('point', change));

const rounded = (unit: number) => (point: Point) => ({
  lat: Math.round(point.lat / unit) * unit,
  lng: Math.round(point.lng / unit) * unit,
});

const POSITIONS: readonly ExportCase[] = [
  points('half moved by 1 km', 0.5, ({ lat, lng }) => ({ lat: lat + KILOMETRE, lng })),
  points('a quarter moved by 30 km', 0.25, ({ lat, lng }) => ({ lat: lat - 30 * KILOMETRE, lng })),
  points('latitude and longitude swapped', 1, ({ lat, lng }) =>
    Math.abs(lng) > 90 ? { lat, lng } : { lat: lng, lng: lat },
  ),
  points('all at 0, 0', 1, () => ({ lat: 0, lng: 0 })),
  points('a tenth at 0, 0', 0.1, () => ({ lat: 0, lng: 0 })),
  points('all at one place', 1, () => ({ lat: 48.8566, lng: 2.3522 })),
  points('positions of one decimal', 1, rounded(0.1)),
  points('positions of no decimal', 1, rounded(1)),
  points('longitudes with the other sign', 1, ({ lat, lng }) => ({ lat, lng: -lng })),
  points('degrees divided by a million', 1, ({ lat, lng }) => ({ lat: lat / 1e6, lng: lng / 1e6 })),
  edited('positions of the next store', 1, ofNext('geo.main.point')),
  edited('locations of the next store', 0.49, ofNext('geo.main')),
  edited('no rental points', 1, ['geo.rentalPoints', []]),
  edited('rental points at the main location', 1, [
    'geo.rentalPoints.*.point',
    (_, { store }) => store.geo.main.point,
  ]),
];

const hidden = (title: string, change: (shown: boolean, index: number) => boolean) =>
  edited(title, 1, ['geo.displayAddress', (shown: boolean, { index }) => change(shown, index)]);

const HIDDEN: readonly ExportCase[] = [
  hidden('all hidden addresses shown', () => true),
  hidden('half of the hidden addresses shown', (shown, index) => shown || index % 2 === 0),
  hidden('a third hidden', (shown, index) => shown && index % 3 > 0),
  hidden('all hidden', () => false),
  hidden('hidden and shown exchanged', (shown) => !shown),
];

const both = (part: string, change: Edit[1]): Edit[] => [
  ...places(`components.${part}`, change),
  ...places(`canonicalComponents.${part}`, change),
];
const withoutZeros = (code: string) => code.replace(/^0+(?=\d)/, '');

const ADDRESSES: readonly ExportCase[] = [
  edited('addresses empty', 1, ...places('address', ''), ...both('*', '')),
  edited('addresses of 49 % empty', 0.49, ...places('address', ''), ...both('*', '')),
  edited('no addresses on one line', 1, ...places('address', '')),
  edited('no parts of addresses', 1, ...both('*', '')),
  edited('no parts in English', 1, ...places('canonicalComponents.*', '')),
  edited('addresses with "undefined"', 1, ...places('address', 'undefined undefined, undefined')),
  edited('addresses of the next store', 1, ofNext('geo.main.address')),
  edited('one city for all', 1, ...both('city', 'Paris')),
  edited('cities of 4 % are "NULL"', 0.04, ...both('city', 'NULL')),
  edited('cities read in the wrong encoding', 0.1, ...both('city', 'OrlÃ©ans')),
  edited('cities of half blank', 0.5, ...both('city', ' ')),
  edited('leading zeros of postcodes lost', 1, ...both('postalCode', withoutZeros)),
  edited('postcodes are numbers', 1, ...both('postalCode', (code: string) => `${code}.0`)),
  edited('postcodes lost', 1, ...both('postalCode', '')),
  edited('parts of addresses of the next store', 1, ofNext('geo.main.components')),
  edited('one country for all', 1, ...both('country', 'France')),
  edited('countries lost', 1, ...both('country', '')),
  edited('countries as codes', 1, ...both('country', (name: string) => name.slice(0, 2))),
  edited('streets lost', 1, ...both('street', '')),
  edited('house numbers lost', 1, ...both('streetNumber', '')),
  edited('regions lost', 1, ...both('administrativeAreaLevel1', '')),
  edited('places of map providers lost', 1, ...places('placeId', '')),
  edited('names of locations are "null"', 1, ...places('name', 'null')),
];

const rows = (title: string, part: number, change: (rows: readonly Row[]) => readonly Row[]) =>
  edited(
    title,
    part,
    ['temporal.schedule.openingHours', change],
    ['temporal.schedule.openingHoursLowSeason', change],
  );
const eachRow = (title: string, part: number, change: (row: Row) => Partial<Row>) =>
  rows(title, part, (all) => all.map((row) => ({ ...row, ...change(row) })));
const clock = (title: string, part: number, hours: number) =>
  eachRow(title, part, ({ from, to }) => ({
    from: hoursLater(hours)(from),
    to: hoursLater(hours)(to),
  }));
const row = (day: Row['day'], from: string, to: string): Row => ({
  id: `row-${day}`,
  day,
  from,
  to,
  open: true,
});

/** 14:00 as 02:00. */
const withoutHalves = (time: string) =>
  Number(time.slice(0, 2)) > 12 ? hoursLater(12)(time) : time;

const HOURS: readonly ExportCase[] = [
  rows('hours of 49 % emptied', 0.49, () => []),
  rows('hours of all emptied', 1, () => []),
  rows('one schedule for all', 1, () => [row('*', '09:00', '18:00')]),
  rows('one schedule for half', 0.5, () => [
    row('1', '09:00', '17:00'),
    row('2', '09:00', '17:00'),
  ]),
  rows('all open day and night', 1, () => [row('*', '00:00', '00:00')]),
  rows('mornings only', 1, (all) => all.filter(({ from }) => from < '12')),
  eachRow('49 % closed on all days', 0.49, () => ({ open: false })),
  eachRow('days off are open', 1, () => ({ open: true })),
  eachRow('beginning and end exchanged', 1, ({ from, to }) => ({ from: to, to: from })),
  eachRow('afternoons at night', 1, ({ from, to }) => ({
    from: withoutHalves(from),
    to: withoutHalves(to),
  })),
  eachRow('week begins a day later', 1, ({ day }) => ({
    day: day === '*' ? day : (String((Number(day) + 1) % 7) as Row['day']),
  })),
  clock('49 % an hour later', 0.49, 1),
  clock('all two hours earlier', 1, -2),
  edited('hours of the next store', 1, ofNext('temporal.schedule')),
];

const ranges = (title: string, change: Edit[1]) =>
  edited(
    title,
    1,
    ['temporal.schedule.closedRanges', change],
    ['temporal.schedule.lowSeasonRanges', change],
  );
const eachRange = (title: string, change: (range: Range) => Partial<Range>) =>
  ranges(title, (all: readonly Range[]) => all.map((range) => ({ ...range, ...change(range) })));

const SEASONS: readonly ExportCase[] = [
  edited('no closing days', 1, ['temporal.schedule.closedRanges', []]),
  edited('no low seasons', 1, ['temporal.schedule.lowSeasonRanges', []]),
  edited('half closed for good', 0.5, [
    'temporal.schedule.closedRanges',
    [{ id: 'closed', from: '1970-01-01T00:00:00Z', to: '2099-12-31T23:59:59Z' }],
  ]),
  eachRange('ranges end before they begin', ({ from, to }) => ({ from: to, to: from })),
  eachRange('ranges of another year', ({ from, to }) => ({
    from: daysLater(-730)(from) ?? from,
    to: daysLater(-730)(to) ?? to,
  })),
  eachRange('ranges without an end', () => ({ to: '9999-12-31T23:59:59Z' })),
  edited('all time zones UTC', 1, ['temporal.timezone', 'UTC']),
  edited('half of the time zones UTC', 0.5, ['temporal.timezone', 'UTC']),
  edited('one time zone for all', 1, ['temporal.timezone', 'America/New_York']),
];

export const BROKEN_PLACES: readonly ExportCase[] = [
  ...POSITIONS,
  ...HIDDEN,
  ...ADDRESSES,
  ...HOURS,
  ...SEASONS,
];
