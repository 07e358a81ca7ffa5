/**
 * What the simulated day assumes: nothing here was measured. Every number of `World` is halved and
 * doubled in the report, so that it says what the result depends on.
 */
import { SLOW_FACTOR, SLOW_SHARE } from '../storage/protocol.ts';

export interface World {
  /** Requests a day of people who move a map, over the day as it is in each place. */
  readonly mapRequests: number;
  /** Single stores that are looked up a day, likewise. */
  readonly lookUps: number;
  /** Whole copies that are made a night. */
  readonly copies: number;
  /** Tokens that requests carry. */
  readonly partners: number;
  /** Isolates that share the requests of a place. */
  readonly isolates: number;
  /** Minutes that an isolate lives on average: drawn evenly, the longest six times the shortest. */
  readonly isolateLife: number;
  /** Milliseconds of a read of KV that the place has, that its region has, that nobody near has. */
  readonly kvHot: number;
  readonly kvRegional: number;
  readonly kvCentral: number;
  /** Share of reads, and of queries, that are slow; how many times as long those take. */
  readonly slowShare: number;
  readonly slowFactor: number;
  /** Hours for which a place and a region keep a value that nobody reads. */
  readonly cacheHours: number;
  /** Bytes of documents that an isolate keeps where the directory does not fit, in megabytes. */
  readonly keptMegabytes: number;
  /** Publications a day. */
  readonly publications: number;
  /** In times of the round trip that the distance to D1's database takes. */
  readonly d1Distance: number;
}

export const WORLD: World = {
  mapRequests: 60_000,
  lookUps: 30_000,
  copies: 10,
  partners: 20,
  isolates: 4,
  isolateLife: 17.5,
  kvHot: 3,
  kvRegional: 30,
  kvCentral: 120,
  slowShare: SLOW_SHARE,
  slowFactor: SLOW_FACTOR,
  cacheHours: 6,
  keptMegabytes: 20,
  publications: 24,
  d1Distance: 1,
};

/** What each number is, and why it has this value. */
export const REASONS: Readonly<Record<keyof World, readonly [what: string, why: string]>> = {
  mapRequests: ['requests of map users a day', 'assumed'],
  lookUps: ['single look-ups a day', 'assumed'],
  copies: ['whole copies a night, between 1 and 4 UTC', 'assumed'],
  partners: ['partners with tokens', 'assumed'],
  isolates: ['isolates that share the requests of a place', 'assumed'],
  isolateLife: ['mean life of an isolate, minutes', 'from 5 to 30 minutes, drawn evenly'],
  kvHot: [
    'KV, value in the place, ms',
    'Cloudflare’s documentation (“Choosing a data or storage product”): 0.5 to 10 ms for keys that are read often',
  ],
  kvRegional: [
    'KV, value in the region, ms',
    'assumed, between the two others; that there is such a tier says “How KV works”',
  ],
  kvCentral: [
    'KV, value in the central store, ms',
    'assumed: “over 100 ms”; “How KV works” calls these reads slower, without a figure',
  ],
  slowShare: ['share of reads and queries that are slow', 'as in the benchmark'],
  slowFactor: ['times as long as usual that slow ones take', 'as in the benchmark'],
  cacheHours: [
    'hours that a place keeps an unread value',
    'assumed: the service allows 30 days (`src/storage/kv-source.ts`), KV’s caches drop what is seldom read',
  ],
  keptMegabytes: [
    'documents that an isolate keeps where not all fit, MB',
    '`bench/conflicts.md`: 13 to 25',
  ],
  publications: ['publications a day', 'hourly, as in docs/operations.md'],
  d1Distance: [
    'distance to D1, in times of the map’s',
    'light in fibre (200 km a millisecond), cables half as long again, 5 ms besides; the database is in Frankfurt',
  ],
};

/** Where requests come in. */
export interface Place {
  readonly name: string;
  /** Places of a region share a tier of KV. */
  readonly region: 'europe' | 'america' | 'asia';
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Hours ahead of UTC. */
  readonly hours: number;
  /** Share of the requests, in hundredths: assumed. Rental shops of Europe, with visitors. */
  readonly share: number;
}

export const PLACES: readonly Place[] = [
  { name: 'Paris', region: 'europe', latitude: 48.86, longitude: 2.35, hours: 1, share: 24 },
  { name: 'Frankfurt', region: 'europe', latitude: 50.11, longitude: 8.68, hours: 1, share: 16 },
  { name: 'Madrid', region: 'europe', latitude: 40.42, longitude: -3.7, hours: 1, share: 14 },
  { name: 'Milan', region: 'europe', latitude: 45.46, longitude: 9.19, hours: 1, share: 12 },
  { name: 'London', region: 'europe', latitude: 51.51, longitude: -0.13, hours: 0, share: 11 },
  { name: 'Amsterdam', region: 'europe', latitude: 52.37, longitude: 4.9, hours: 1, share: 8 },
  { name: 'Warsaw', region: 'europe', latitude: 52.23, longitude: 21.01, hours: 1, share: 5 },
  { name: 'New York', region: 'america', latitude: 40.71, longitude: -74.01, hours: -5, share: 5 },
  {
    name: 'Los Angeles',
    region: 'america',
    latitude: 34.05,
    longitude: -118.2,
    hours: -8,
    share: 2,
  },
  { name: 'Singapore', region: 'asia', latitude: 1.35, longitude: 103.82, hours: 8, share: 2 },
  { name: 'Sydney', region: 'asia', latitude: -33.87, longitude: 151.21, hours: 11, share: 1 },
];

/** Where the database of D1 is. */
export const DATABASE = { latitude: 50.11, longitude: 8.68 };

/** Light in fibre, km a millisecond; how much longer cables are than the great circle. */
const FIBRE_SPEED = 200;
const DETOUR = 1.5;
/** Milliseconds of a round trip besides. */
const LOCAL = 5;

/** Milliseconds to D1's database and back, over so many km. */
export function roundTrip(kilometres: number): number {
  return LOCAL + (2 * DETOUR * kilometres) / FIBRE_SPEED;
}

/** Dollars of the Workers Paid plan, beyond what is included a month. */
export const PRICES = {
  source:
    'https://developers.cloudflare.com/workers/platform/pricing/, …/kv/platform/pricing/, …/d1/platform/pricing/',
  requests: { included: 10e6, million: 0.3 },
  cpuMilliseconds: { included: 30e6, million: 0.02 },
  kvReads: { included: 10e6, million: 0.5 },
  rowsRead: { included: 25e9, million: 0.001 },
};
