/** Tells values that are wrong in themselves, or may be meant in some stores, where a pattern of their text cannot. */
import { DAY } from '../../src/hours/clock.ts';
import { VERTICALES } from '../../src/model/enumerations.ts';
import type { Point } from '../../src/model/location.ts';
import type { SourceStore } from '../compile/source-store.ts';
import type { JsonObject } from '../source/values-in.ts';
import { countriesAt, countryCode, mayHaveZone } from './countries.ts';

/** Returns what lies at a dotted path; undefined where nothing does. */
export function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((held, key) => Object(held)[key], record);
}

/** Returns whether a value says nothing, whatever holds it. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return `${value ?? ''}`.trim() === '';
}

/** Returns whether a value says something. */
export const isPresent = (value: unknown): boolean => !isEmpty(value);

/** Tells the verticales of a store that has all. */
export const isEveryVerticale = (words: readonly string[]): boolean =>
  words.length === VERTICALES.length;

/** Tells the slug or the address of a store in place of its name. */
export function isOtherName(name: string, store: JsonObject): boolean {
  const isSlug = name === store.slug && name.includes('-');
  return isSlug || name === valueAt(store, 'geo.location.address');
}

/** Tells an address that has its city for its country, which no country is called, or each for the other. */
export function isSwapped({ city, country }: { readonly city: string; readonly country: string }) {
  if (isEmpty(country) || countryCode(country) !== null) return false;
  return city === country || (countryCode(city) !== null && !country.includes(city));
}

interface Delivery {
  readonly min: number;
  readonly max: number;
  readonly price: number;
}

/** Kilometres that the nearest of several deliveries goes, at least and at most, and one alone. */
const [MIN_NEAREST, MAX_NEAREST, MAX_ALONE] = [0.1, 100, 2_000];

/** From so much on the nearest delivery is in cents, where a delivery costs some units of the currency. */
const MIN_CENTS = 400;

/** Tells deliveries in metres, unless `9999` stands for anywhere, in thousands of kilometres, or in cents. */
export function isOtherUnit([nearest, next]: readonly Delivery[], store: JsonObject): boolean {
  if (!nearest || nearest.max === 0) return false;
  const { max, price } = nearest;
  const currency = String(valueAt(store, 'pricing.currency.isoCode'));
  return (
    max < MIN_NEAREST ||
    (max >= MAX_NEAREST && next !== undefined && next.min >= max) ||
    (max >= MAX_ALONE && !/^(9+|100000)$/.test(`${max}`)) ||
    (price >= MIN_CENTS && /EUR|GBP|USD|CHF/.test(currency))
  );
}

/** Days from which on a closure is one for good. */
const MAX_CLOSED = 300;

export function isForGood(ranges: readonly Range[]): boolean {
  return ranges.some(({ from, to }) => daysBetween(from, to) > MAX_CLOSED);
}

/**
 * Tells what cannot be together: a reversed range, an impossible percentage, fewer stars or reviews than there are, the
 * symbol of another currency, hours that end as they begin.
 */
export function isContradiction(value: unknown): boolean {
  const each = Object(value);
  // Other percentages have their bounds in the source format.
  const isOdd = (amount: number, type: unknown) =>
    type === 'PERCENTAGE' && amount !== 0 && !(amount >= 1 && amount <= 100);
  return (
    each.min > each.max ||
    (each.open && each.from === each.to && each.from !== MIDNIGHT) ||
    (each.maxHours !== null && each.minHours > each.maxHours) ||
    (!each.infiniteTo && each.rangeFrom > each.rangeTo) ||
    isOdd(each.discount, each.discountType) ||
    isOdd(each.refundAmount, each.refundType) ||
    (each.rating < 1 && each.total > 0) ||
    each.total < each.reviews?.length ||
    (each.symbol && (each.isoCode === 'EUR') !== /€|eur/i.test(each.symbol))
  );
}

/** A closure, a season or another period, by texts of dates. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

/** Tells a closure, a season or a discount that ends before it begins. */
export function isReversedDate(value: Range | null): boolean {
  const { from, to } = Object(value);
  return daysBetween(from, to) < 0;
}

export function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY;
}

type Hours = SourceStore['temporal']['schedule']['openingHours'];

/** Tells a schedule by which a store does not open. */
export function isNeverOpen(schedule: unknown): boolean {
  return !JSON.stringify(schedule).includes('"open":true');
}

const MIDNIGHT = '00:00';

/** Tells hours from midnight to midnight, as of times that are lacking. */
export function isAlwaysOpen(hours: Hours): boolean {
  const rows = hours.filter(({ open }) => open);
  const isEndless = rows.every(({ from, to }) => from === MIDNIGHT && /00:00|23:59/.test(to));
  return rows.length > 0 && isEndless;
}

/** Tells hours as UTC has them: of Europe and Asia too early, of America too late. */
export function isEarlyOrLate(hours: Hours): boolean {
  const rows = hours.filter(({ open }) => open);
  const isEarly = rows.some(({ from }) => from < '08:00');
  const endsEarly = rows.every(({ from, to }) => from < to && to <= '17:00');
  return rows.length > 0 && (isEarly ? endsEarly : rows.every(({ from }) => from >= '13:00'));
}

/**
 * Tells opening hours that leave out the day: beginning and end swapped, or afternoons written as nights. Past
 * midnight, all day, and all day but an hour are none of these.
 */
export function isClosedByDay(value: unknown): boolean {
  const { from, to, open } = Object(value);
  if (!open) return false;
  // Hours are enough.
  const [start = 0, end = 0] = [from, to].map((time) => Number.parseInt(time, 10));
  if (start < end) return start >= 1 && end <= 7;
  return start - end > 1 && start < 21 && end > (start > 12 ? 7 : 4);
}

/** Tells a point at 0, 0, one of which a coordinate or all decimals were lost, or the latitude was written twice. */
export function isZeroPoint({ lat, lng }: Point): boolean {
  const isNear = Math.abs(lat) < 0.01 && Math.abs(lng) < 0.01;
  const isWhole = lat % 1 === 0 && lng % 1 === 0;
  return isNear || isWhole || lat === lng || lat * lng === 0;
}

/** Tells a point whose degrees may be followed by minutes: both have decimals below 60. */
export function isMinutePoint({ lat, lng }: Point): boolean {
  return Math.abs(lat % 1) < 0.6 && Math.abs(lng % 1) < 0.6;
}

/** Tells a point where the clocks of the store are wrong. */
export function isForeignZone(point: Point, store: JsonObject): boolean {
  return !mayHaveZone(countriesAt(point) ?? [], String(valueAt(store, 'temporal.timezone')), 0.1);
}

/** Hours from which on a time zone is none that a neighbouring country has. */
const MIN_APART = 2;

/** Tells a point in the sea, in another country than its address says, or where the time zone of the store cannot be. */
export function isFarPoint(point: Point, store: JsonObject, path: string): boolean {
  const at = countriesAt(point);
  const said = countryCode(String(valueAt(store, path.replace(/point$/, 'components.country'))));
  const zone = String(valueAt(store, 'temporal.timezone'));
  return (
    at === null ||
    (said !== null && at.length > 0 && !at.includes(said)) ||
    !mayHaveZone(at, zone, MIN_APART)
  );
}

/** Names of hosts that the public does not know: without a domain, as addresses and names of one machine are, or by their words. */
const NOT_PUBLIC =
  /^(?!.*\.[a-z][a-z\d-]*\.?$)|\.(local|localhost|internal|intranet|lan|home|corp|test|invalid|arpa)$|(^|[.-])((staging|preprod|uat)[.-]|(dev|preview|qa|test)\.[^.]+\.)|(^|\.)example\.(com|net|org)$/;

/** Tells a link to what customers cannot reach: a page at localhost, one with a user name or password. */
export function isPrivateLink(link: unknown): boolean {
  if (typeof link !== 'string' || !/^https?:/i.test(link)) return false;
  const { username, password, hostname } = URL.parse(link) ?? {};
  return Boolean(username || password || (hostname && NOT_PUBLIC.test(hostname)));
}

/** Tells descriptions that are one text in all languages of a store, as those are that have no translation. */
export function isUntranslated(texts: JsonObject, store: JsonObject): boolean {
  const { length } = valueAt(store, 'localization.available') as string[];
  return length > 1 && new Set(Object.values(texts)).size === 1 && isPresent(texts);
}

/** Reviews that are few enough for any rating. */
const MAX_FEW_REVIEWS = 4;

/** Tells a rating of many reviews. */
export function isRating(_rating: number, store: JsonObject): boolean {
  return Number(valueAt(store, 'reviews.external.total')) > MAX_FEW_REVIEWS;
}
