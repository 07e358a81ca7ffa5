/**
 * The requests of the benchmark: the same for every contender and, deep pages apart, for every
 * number of stores. They ask for the first stores of the seed, which every size has.
 */
import { Random } from '../../scripts/fixtures/random.ts';
import { generateStore } from '../../scripts/fixtures/store.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { COUNTRYSIDE, type Position, TOWNS } from './positions.ts';
import type { BenchCase, BenchRequest, CaseName, TokenName } from './request.ts';

/** Seed and languages of all stores of the benchmark. */
export const STORE_OPTIONS = { seed: 20_261_121, languages: 8 } as const;

/** The size that every other one contains. */
export const LEAST_STORES = 2_500;

const LIST_PATH = '/v2/external/stores';
/** Stores that are asked for one by one. */
const SINGLE_STORES = 48;
/** Whole pages of 100 are read in turn, as a partner who mirrors the directory does. */
const PAGES = [0, 100, 200];
/** Where deep pages start, as a share of all stores; the filters let more than this through. */
const DEEP_SHARE = 0.1;
const FIVE_FIELDS = 'id,slug,profile.name,geo.location.point,pageUrl';
const FILTERS = ['BIKE,ELECTRIC_BIKE', 'SKI,SNOWSHOES,BIKE', 'CAR,BIKE,SCOOTER'];
const SORTS = ['externalRating__desc,name', 'name', 'metadata.timestamps.createdAt__desc'];

/** The cases for `storeCount` stores; equal arguments give equal requests. */
export function makeRequestLog(storeCount: number): BenchCase[] {
  const log: [CaseName, string, BenchRequest[]][] = [
    ['get', 'get one store', singleStores()],
    ['list', 'list 100, whole stores', PAGES.map((skip) => list({ skip }))],
    [
      'list-fields',
      'list 100, five fields',
      PAGES.map((skip) => list({ skip, fields: FIVE_FIELDS })),
    ],
    ['sorted-first', 'filter, sort, first 20', sortedPages(0)],
    ['sorted-deep', 'filter, sort, 20 deep', sortedPages(Math.floor(storeCount * DEEP_SHARE))],
    ['near-city', 'nearest 20 in 25 km, city', near(TOWNS, 25, 20)],
    ['near-country', 'nearest 20 in 25 km, country', near(COUNTRYSIDE, 25, 20)],
    ['near-wide', 'nearest 100 in 50 km', near(TOWNS, 50, 100)],
    ['languages', 'list 20 in eight languages', languageMix()],
    ['not-modified', 'not modified (304)', conditional()],
    ['unauthorized', 'no valid token (401)', unauthorized()],
    ['attributed', 'list 100 with attribution', PAGES.map((skip) => list({ skip }, 'attributed'))],
  ];
  return log.map(([name, title, requests]) => ({ name, title, requests }));
}

function ask(path: string, token: TokenName | null = 'plain'): BenchRequest {
  return { path, token, conditional: false };
}

function list(
  parameters: Readonly<Record<string, string | number>>,
  token: TokenName | null = 'plain',
): BenchRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return ask(`${LIST_PATH}?${query.join('&')}`, token);
}

/** Half of them by id, half by slug. */
function singleStores(): BenchRequest[] {
  const random = new Random(STORE_OPTIONS.seed, 1);
  return Array.from({ length: SINGLE_STORES }, (_, index) => {
    const { id, slug } = generateStore(random.integer(0, LEAST_STORES - 1), STORE_OPTIONS);
    return ask(`${LIST_PATH}/${index % 2 === 0 ? id : slug}`);
  });
}

function sortedPages(skip: number): BenchRequest[] {
  return FILTERS.flatMap((filter) =>
    SORTS.map((sort) => list({ 'verticale.in': filter, sort, skip, limit: 20 })),
  );
}

/** Positions within a few kilometres of `centres`: partners pass on where their users stand. */
function near(centres: readonly Position[], radius: number, limit: number): BenchRequest[] {
  const random = new Random(STORE_OPTIONS.seed, 2);
  return centres.map(({ latitude, longitude }) =>
    list({
      'position.latitude': random.decimal(latitude - 0.03, latitude + 0.03, 5),
      'position.longitude': random.decimal(longitude - 0.03, longitude + 0.03, 5),
      'position.radius': radius,
      limit,
    }),
  );
}

function languageMix(): BenchRequest[] {
  return LANGUAGES.map((lang, index) => list({ lang, skip: 20 * (index % 4), limit: 20 }));
}

function conditional(): BenchRequest[] {
  return [...singleStores().slice(0, 4), list({}), ...sortedPages(0).slice(0, 3)].map(
    (request) => ({ ...request, conditional: true }),
  );
}

function unauthorized(): BenchRequest[] {
  return [list({}, null), list({}, 'unknown')];
}
