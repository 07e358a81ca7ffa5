/**
 * Draws requests over the whole directory: any store, any page, any town, any language. Every
 * regime draws in this one way; they differ in how often a request comes again.
 */
import { drawPlace, type Place } from '../../fixtures/generator/places.ts';
import type { Random } from '../../fixtures/generator/random.ts';
import { DAY, MINUTE } from '../../src/hours/clock.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { FACETS, LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { countStores, type StoreFacts } from '../data/stores.ts';
import type { BenchRequest, CaseName } from './request.ts';

type Parameters = Readonly<Record<string, string | number>>;

/** In degrees. */
type Position = Pick<Place, 'latitude' | 'longitude'>;

const TOWN_INHABITANTS = 100_000;
const VILLAGE_INHABITANTS = 10_000;

/** Partners pass on where their users stand: within a few kilometres of a centre. */
const TOWN_SPREAD = 0.03;
const COUNTRY_SPREAD = 0.2;

const FIELD_COUNT = 5;

export const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');

/** What the plain apps can sort by. */
const TWO_KEYS = [
  'externalRating__desc,name',
  'externalRating__desc,metadata.timestamps.createdAt',
  'metadata.timestamps.createdAt__desc,name',
  'name,externalRating__desc',
  'name,metadata.timestamps.createdAt__desc',
];

export function drawRequest(name: CaseName, random: Random, facts: StoreFacts): BenchRequest {
  return { case: name, token: drawToken(name, random), path: PATHS[name](random, facts) };
}

function drawToken(name: CaseName, random: Random): BenchRequest['token'] {
  if (name === 'unauthorized') return random.pick(['unknown', null] as const);
  return name === 'attributed' ? 'attributed' : 'plain';
}

const PATHS: Readonly<Record<CaseName, (random: Random, facts: StoreFacts) => string>> = {
  get: (random, { ids }) => getStore(random, ids),
  'get-slug': (random, { slugs }) => getStore(random, slugs),
  list: (random, facts) => page(random, facts, 100),
  'list-fields': (random, facts) => {
    const fields = random.sample(FIELD_PATHS, FIELD_COUNT).join(',');
    return page(random, facts, 100, { fields });
  },
  'list-20': (random, facts) => page(random, facts, 20),
  names: (random, facts) => page(random, facts, 100, { sort: 'name' }),
  'names-20': (random, facts) => page(random, facts, 20, { sort: 'name' }),
  sorted,
  'near-city': (random) => near(random, drawInTown(random), 25, 20),
  'near-country': (random) => near(random, drawInCountry(random), 25, 20),
  'near-wide': (random) => near(random, drawInTown(random), 50, 100),
  delivered: (random, facts) => list(random, { ...drawDelivery(random, facts), limit: 20 }),
  search: (random, facts) => list(random, { q: drawTyped(random, facts), limit: 20 }),
  area: (random) => list(random, { ...drawArea(random, TOWN), limit: 20 }),
  everything,
  attributed: (random, facts) => page(random, facts, 100),
  'not-modified': getOrList,
  unauthorized: getOrList,
};

function getOrList(random: Random, facts: StoreFacts): string {
  return random.chance(0.5) ? getStore(random, facts.ids) : page(random, facts, 20);
}

function getStore(random: Random, names: readonly string[]): string {
  const query = queryOf(drawLanguage(random));
  return `${LIST_PATH}/${random.pick(names)}${query}`;
}

/** Draws a whole page, anywhere in the directory. */
function page(random: Random, { ids }: StoreFacts, limit: number, more: Parameters = {}): string {
  const skip = random.integer(0, ids.length - limit);
  return list(random, { ...more, skip, limit });
}

function sorted(random: Random, facts: StoreFacts): string {
  const limit = 20;
  const wanted = random.sample(VERTICALES, random.integer(2, 3));
  return list(random, {
    skip: random.integer(0, Math.max(0, countStores(facts, wanted) - limit)),
    'verticale.in': wanted.join(','),
    sort: random.pick(TWO_KEYS),
    limit,
  });
}

/** Draws two words of a store's name. */
export function drawWords(random: Random, { slugs }: StoreFacts): string {
  const [first = '', second = ''] = random.pick(slugs).split('-');
  return `${first}+${second}`;
}

/** Draws the same as a person types it: the last word is not complete yet. */
function drawTyped(random: Random, facts: StoreFacts): string {
  const words = drawWords(random, facts);
  return words.slice(0, random.integer(words.indexOf('+') + 2, words.length));
}

/** Half the width of an area in degrees. */
export const TOWN = 0.2;
export const COUNTRY = 5;

/** Draws an area around a town, open when something is collected and when it is returned, with all facets. */
function drawArea(random: Random, half: number): Parameters {
  const bbox = drawBox(random, half);
  const [collected, returned] = [drawInstant(random), drawInstant(random)];
  return { bbox, openAt: `${collected},${returned}`, at: collected, facets: FACETS.join(',') };
}

export function drawBox(random: Random, half: number): string {
  const { latitude, longitude } = drawInTown(random);
  const sides = [longitude - half, latitude - half, longitude + half, latitude + half];
  return sides.map((side) => side.toFixed(4)).join(',');
}

/** Draws an instant by day, on any date of a year: at two instants of a night hardly a store is open. */
export function drawInstant(random: Random): string {
  const date = random.integer(Date.UTC(2026, 0) / DAY, Date.UTC(2027, 0) / DAY);
  const minutes = random.integer(8 * 60, 16 * 60);
  return new Date(date * DAY + minutes * MINUTE).toISOString();
}

/** Draws a point near a store that has a rule for the town. */
export function drawDelivery(random: Random, { towns }: StoreFacts): Parameters {
  const { cityName, zipCode, lat, lng } = random.pick(towns);
  const { latitude, longitude } = scatter(random, { latitude: lat, longitude: lng }, TOWN_SPREAD);
  return {
    'delivery.latitude': latitude,
    'delivery.longitude': longitude,
    'delivery.postalCode': encodeURIComponent(zipCode),
    'delivery.city': encodeURIComponent(cityName),
  };
}

function everything(random: Random): string {
  return list(random, {
    q: random.pick(LETTERS),
    'verticale.in': random.sample(VERTICALES, 8).join(','),
    'language.in': random.sample(LANGUAGES, 4).join(','),
    'country.in': 'france,italy,spain,germany,poland',
    sort: random.pick(TWO_KEYS),
    ...drawArea(random, COUNTRY),
    'booking.instantBooking.lcd': 'true',
    limit: 20,
  });
}

function near(
  random: Random,
  { latitude, longitude }: Position,
  radius: number,
  limit: number,
): string {
  return list(random, {
    'position.latitude': latitude,
    'position.longitude': longitude,
    'position.radius': radius,
    limit,
  });
}

/** Draws a language, or none. */
function drawLanguage(random: Random): Parameters {
  const lang = random.pick([null, ...LANGUAGES]);
  return lang === null ? {} : { lang };
}

function list(random: Random, parameters: Parameters): string {
  return `${LIST_PATH}${queryOf({ ...drawLanguage(random), ...parameters })}`;
}

function queryOf(parameters: Parameters): string {
  const text = writeParameters(parameters);
  return text && `?${text}`;
}

/** Writes a query. @param parameters values as they stand in a query, escaped where they have to be */
export const writeParameters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');

/** Draws a point in a town, each as likely as it is populous. */
function drawInTown(random: Random): Position {
  return drawAround(random, (inhabitants) => inhabitants >= TOWN_INHABITANTS, TOWN_SPREAD);
}

/** Draws a point around a small place. */
function drawInCountry(random: Random): Position {
  return drawAround(random, (inhabitants) => inhabitants < VILLAGE_INHABITANTS, COUNTRY_SPREAD);
}

function drawAround(
  random: Random,
  isWanted: (inhabitants: number) => boolean,
  spread: number,
): Position {
  for (;;) {
    const place = drawPlace(random);
    if (isWanted(place.population)) return scatter(random, place, spread);
  }
}

function scatter(random: Random, { latitude, longitude }: Position, spread: number): Position {
  return {
    latitude: random.decimal(latitude - spread, latitude + spread, 5),
    longitude: random.decimal(longitude - spread, longitude + spread, 5),
  };
}
