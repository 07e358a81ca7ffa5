/** Tells values that are wrong in themselves, whatever a store was before. */
import { DAY } from '../../src/hours/clock.ts';
import { VERTICALES } from '../../src/model/enumerations.ts';
import type { Point } from '../../src/model/location.ts';
import type { SourceStore } from '../compile/source-store.ts';
import type { JsonObject, LocatedValue } from '../source/values-in.ts';
import { countriesAt, countryCode, mayHaveZone } from './countries.ts';

/** What a text or a number looks like that cannot be meant, or what tells a value. */
export type Looks = RegExp | ((value: never, store: JsonObject, path: string) => boolean);

/** At paths that end in one of `ends`, by default anywhere. */
export type Sign = readonly [looks: Looks, ends?: readonly string[]];

/** Finds the first value of a store that has one of some signs. */
export function findSign(
  signs: readonly Sign[],
  values: readonly LocatedValue[],
  store: JsonObject,
): LocatedValue | undefined {
  // Loops, for there are thousands of pairs in each store.
  for (const located of values) {
    const { path, value } = located;
    const isText = typeof value === 'string' || typeof value === 'number';
    for (const [looks, ends] of signs) {
      if (ends && !isAtEnd(path, ends)) continue;
      const has =
        typeof looks === 'function'
          ? looks(value as never, store, path)
          : isText && looks.test(String(value));
      if (has) return located;
    }
  }
  return undefined;
}

function isAtEnd(path: string, ends: readonly string[]): boolean {
  for (const end of ends) if (path.endsWith(end)) return true;
  return false;
}

/** What people write, but for reviews. */
const TEXTS = ['profile.name', 'description', '.address', '.street', '.city', '.country'];

/** Texts of programs, which no shop would write. */
export const ERRORS: readonly Sign[] = [
  // In place of a value that is lacking; templates that were not filled in; what people put there for the time being.
  [/^(\s+|null|none|nil|nan|undefined|n\/a|\(null\)|<nil>|\\N|#{3,}|true|false)$/i],
  [/\[object \w+|\$\{\w|\{\{|[Ll]orem ipsum|^https?:.*(\{|%7B)/],
  [
    /^(tbd|todo|unknown|(test|demo|dummy|sample|example)[ _-]?(store|shop|location)?[ _-]?\d*)$/i,
    TEXTS,
  ],
  // A part of a text, of a slug, of an address, of a URL.
  [/(^|[\s,;:/.=])(undefined|NaN)(?=[\s,;:/?&#.]|$)|^NULL\s/],
  [/(^|-)(null|undefined)(-|$)/, ['slug']],
  [/(^|, )(null|NULL|nan)(?=,|$)|^https?:.*[/.=]null(?=[/?&#.]|$)/],
  // Lists, objects, bytes and long numbers, as programs write these.
  [/^(b'|\['|\[?\{["'\\]|\d(\.\d+)?E\+\d+$)/i],
  [/#(N\/A|NAME\?|(REF|VALUE|DIV\/0|NULL|NUM|ERROR)!)/],
  [/^([\w.]*(Error|Exception)|Warning): |^Traceback \(/],
  // Escapes of HTML, of JSON and of URLs; tags; Markdown.
  [
    /^(?!https?:).*(&#?[a-z\d]{2,31};|\\(u[\da-f]{4}|[nrt](?![a-z])|["'])|%C3%|<\/?[a-z]+\d?[ />])/is,
  ],
  [/^#{1,6} \p{L}|(?<!\*)\*\*[\p{L}\d][^*]*\*\*|\]\(https?:/mu, TEXTS],
  // UTF-8 as Latin-1 or Windows-1252: letters, typographic signs, scripts of Asia; what was lost.
  [/[ÂÃÄÅÎÏÐÑØÙ][^\0-\x7fÀ-ÿ]|â€|([à-ï][^\0-\x7fÀ-ÿ]{2}){2}|\ufffd/],
  // UTF-8 as Mac Roman, DOS and Windows-1251; other scripts as Latin-1; DOS and Mac as Windows-1252.
  [/√[^\s\d(]|[\u2500-\u259f]|([РС][\u0400-\u04ff\u00a0-\u00bf\u2000-\u2122]){3}/],
  [/[À-ÖØ-öø-ÿ]{4}|[A-Za-z][ГВ]|\p{L}[‚„†‡‰]|\p{Ll}[ŽŸ]/u],
  // A letter that a narrower encoding lacks: `Z?rich`.
  [/(^|\s)\p{L}+\?{1,2}\p{Ll}/u, TEXTS],
];

/** Values of another field, of another unit, or of no shop, and those that cannot be together. */
export const ODD: readonly Sign[] = [
  // Control characters, but no line ends and tabs; columns of a fixed width; dates of computers: the first ones,
  // and those that stand for never.
  [/(?![\t\n\r])\p{Cc}| {3}$|^(0|1[0-8]|19[0-6]|1970)\d*-\d\d-\d\dT/u],
  [/^(203[89]|20[4-9]|2[1-9]|[3-9])/, ['edAt', 'publishTime']],
  // Invisible characters and line ends, but what joins emoji or letters; a row that was not split; a description.
  [/(?!\u200c|\u200d)\p{Cf}|[\t\n\r]|;.*;|%20|^.{120}/u, ['profile.name']],
  // One text twice, as a join writes it.
  [/^(.{6,}?)[\s,-]*\1$/u, ['profile.name']],
  // Signs alone, ids of documents and rows, addresses of pages and of e-mail, in place of words.
  [
    /^(\P{L}+|[\da-fA-F-]{24,36}|https?:\S+|\S+@\S+)$/u,
    ['profile.name', 'profile.description', 'components.city', 'components.country'],
  ],
  // Numbers of stores and stations, names of rows; quotes and commas of a table.
  [/^([\p{Lu}\d]{1,6}[-_ ]?\d{3,}|\w+_\w+|".*"|.*;)$/u, ['profile.name']],
  // Encoded for a URL or a mail.
  [/^[!-~]{40,}$/, ['profile.description']],
  // Columns that were shifted: a postal code in the city, a city in the postal code.
  [/\d{4}|^(?!.*\p{L}{3}).*\d/u, ['components.city']],
  [/\d/, ['components.country']],
  [/^\D+$|\.0$/, ['components.postalCode']],
  // In seconds; numbers that stand for none.
  [/^\d{5,}(\.|$)/, ['minHours']],
  [/^\d{7,}$/, ['total']],
  // No zone of shops; money that is metal or a unit of account.
  [/^(Etc|GMT|UTC|Zulu)/, ['timezone']],
  [/^X(?!AF|CD|CG|OF|PF)/, ['isoCode']],
  // Fractions in place of percent; no shop gives everything away.
  [/^(100|0\.\d+)$/, ['percentage', 'tax.value']],
  [/^[5-9]\d/, ['tax.value']],
  // A picture in place of a page.
  [/\.(png|jpe?g|gif|svg|webp)$/i, ['pageUrl']],
  [isOtherName, ['profile.name']],
  [isSwapped, ['components']],
  [isOtherUnit, ['delivery.ranges']],
  [isForGood, ['closedRanges']],
  [isContradiction],
];

/** Returns what lies at a dotted path; undefined where nothing does. */
export function valueAt(record: JsonObject, path: string): unknown {
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
function isOtherName(name: string, store: JsonObject): boolean {
  const isSlug = name === store.slug && name.includes('-');
  return isSlug || name === valueAt(store, 'geo.location.address');
}

/** Tells an address that has its city for its country, which no country is called, or each for the other. */
function isSwapped({ city, country }: { readonly city: string; readonly country: string }) {
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
function isOtherUnit([nearest, next]: readonly Delivery[], store: JsonObject): boolean {
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

/** Milliseconds from which on a closure is one for good. */
const MAX_CLOSED = 300 * DAY;

function isForGood(ranges: readonly Range[]): boolean {
  return ranges.some(({ from, to }) => Date.parse(to) - Date.parse(from) > MAX_CLOSED);
}

/**
 * Tells what cannot be together: a reversed range, an impossible percentage, fewer stars or reviews than there are, the
 * symbol of another currency, hours that end as they begin.
 */
function isContradiction(value: unknown): boolean {
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
  return Date.parse(from) > Date.parse(to);
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

/** Tells a link to what customers cannot reach: a path alone, a page at localhost, one with a user name or password. */
export function isPrivateLink(link: unknown, _store: JsonObject, path: string): boolean {
  const text = String(link);
  if (!/^https?:/i.test(text)) return /url(s\.\d+)?$/i.test(path) && text.trim() !== '';
  const { username, password, hostname } = URL.parse(text) ?? {};
  return Boolean(username || password || (hostname && NOT_PUBLIC.test(hostname)));
}

/** Tells descriptions that are one text in all languages of a store, as those are that have no translation. */
export function isUntranslated(texts: JsonObject, store: JsonObject): boolean {
  const languages = valueAt(store, 'localization.available') as string[];
  const different = new Set(languages.map((language) => texts[language]));
  return languages.length > 1 && different.size === 1 && isPresent(texts);
}

/** Reviews that are few enough for any rating. */
const MAX_FEW_REVIEWS = 4;

/** Tells a rating of many reviews. */
export function isRating(_rating: number, store: JsonObject): boolean {
  return Number(valueAt(store, 'reviews.external.total')) > MAX_FEW_REVIEWS;
}
