/** Tells values that are wrong in themselves, whatever a store was before. */
import type { JsonObject, LocatedValue } from '../source/values-in.ts';

/** What a text or a number looks like that cannot be meant: anywhere, or where its path matches. */
type Sign = readonly [looks: RegExp, paths?: RegExp];

/** Texts of programs, which no shop would write. */
const ERRORS: readonly Sign[] = [
  // In place of a value that is lacking; templates that were not filled in; what people put there for the time being.
  [/^(\s+|null|none|nil|nan|undefined|n\/a|\(null\)|<nil>|\\N|#{3,}|true|false)$/i],
  [/^(NULL|undefined|NaN)(?=[\s,;:])|\[object \w+\]|\$\{\w|\{\{|[Ll]orem ipsum/],
  [
    /^(tbd|todo|unknown|(test|demo|dummy|sample|example)[ _-]?(store|shop|location)?[ _-]?\d*)$/i,
    /^(profile|geo)\b/,
  ],
  // A part of an address, of a slug, of a URL.
  [/(^|, )(null|NULL|undefined|nan|NaN)(?=,|$)/],
  [/(^|-)(null|undefined)(-|$)/, /slug$/],
  [/^https?:.*[/.=](null|undefined|NaN|\[object.*|\{.*|%7B.*)(?=[/?&#.]|$)/],
  // Lists, objects, bytes and long numbers, as programs write these.
  [/^(b'|\['|\[?\{["'\\]|\d(\.\d+)?E\+\d+$)/i],
  [/#(N\/A|NAME\?|(REF|VALUE|DIV\/0|NULL|NUM|ERROR)!)/],
  [/^([\w.]*(Error|Exception)|Warning): |^Traceback \(/],
  // Escapes of HTML, of JSON and of URLs; tags.
  [
    /^(?!https?:).*(&#?[a-z\d]{2,31};|\\(u[\da-f]{4}|[nrt](?![a-z])|["'])|%C3%|<\/?[a-z]+\d?[ />])/is,
  ],
  // UTF-8 as Latin-1 or Windows-1252: letters, typographic signs, scripts of Asia; what was lost.
  [/[ÂÃÄÅÎÏÐÑØÙ][^\0-\x7fÀ-ÿ]|â€|([à-ï][^\0-\x7fÀ-ÿ]{2}){2}|\ufffd/],
  // UTF-8 as Mac Roman, DOS and Windows-1251; other scripts as Latin-1; DOS and Mac as Windows-1252.
  [/√[^\s\d(]|[\u2500-\u259f]|([РС][\u0400-\u04ff\u00a0-\u00bf\u2000-\u2122]){3}/],
  [/[À-ÖØ-öø-ÿ]{4}|[A-Za-z][ГВ]|\p{L}[‚„†‡‰]|\p{Ll}[ŽŸ]/u],
  // A letter that a narrower encoding lacks: `Z?rich`. People write so too, when they review a store.
  [/(^|\s)\p{L}+\?{1,2}\p{Ll}/u, /^(?!reviews)/],
];

/** Values of another field, of another unit, or of no shop. */
const ODD: readonly Sign[] = [
  // Control characters, but no line ends and tabs; columns of a fixed width; dates of computers: the first ones,
  // and those that stand for never.
  [/(?![\t\n\r])\p{Cc}| {3}$|^(0|1[0-8]|19[0-6]|1970)\d*-\d\d-\d\dT/u],
  [/^(203[89]|20[4-9]|2[1-9]|[3-9])/, /(createdAt|publishTime|updatedAt|closedRanges\.\d+\.to)$/],
  // Invisible characters and line ends, but what joins emoji or letters; a row that was not split; a description.
  [/(?!\u200c|\u200d)\p{Cf}|[\t\n\r]|;.*;|%20|^.{120}/u, /^profile\.name$/],
  // Signs alone, ids of documents and rows, addresses of pages and of e-mail, in place of words.
  [
    /^(\P{L}+|[\da-fA-F-]{24,36}|https?:\S+|\S+@\S+)$/u,
    /^profile\.(name|description)$|omponents\.(city|country)$/,
  ],
  // Columns that were shifted: a postal code in the city, a city in the postal code.
  [/\d{4}|^(?!.*\p{L}{3}).*\d/u, /omponents\.city$/],
  [/\d/, /omponents\.country$/],
  [/^\D+$/, /omponents\.postalCode$/],
  // No zone of shops; money that is metal or a unit of account.
  [/^(Etc|GMT|UTC|Zulu)/, /timezone$/],
  [/^X(?!AF|CD|CG|OF|PF)/, /isoCode$/],
  // Fractions in place of percent; no shop gives everything away. Metres for kilometres, unless `9999` stands for anywhere.
  [/^(100|0\.\d+)$/, /percentage$|tax\.value$/],
  [/^\d{4}/, /delivery\.ranges\.\d+\.min$/],
  [/^(?!9+$)([2-9]\d{3}|\d{5})(\.|$)/, /delivery\.ranges\.0\.max$/],
  // A picture in place of a page.
  [/\.(png|jpe?g|gif|svg|webp)$/i, /^pageUrl$/],
];

/** From so much on the nearest delivery is in cents, where a delivery costs some units of the currency. */
const MIN_CENTS = 400;

/** Returns what lies at a dotted path; undefined where nothing does. */
export function valueAt(record: JsonObject | null, path: string): unknown {
  return path.split('.').reduce<unknown>((held, key) => Object(held)[key], record);
}

/** Returns whether a value says nothing, whatever holds it. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined;
}

/** Makes a function that tells a text or a number by its signs. */
const looksLike =
  (signs: readonly Sign[]) =>
  ({ path, value }: LocatedValue): boolean =>
    (typeof value === 'string' || typeof value === 'number') &&
    signs.some(([looks, paths]) => paths?.test(path) !== false && looks.test(String(value)));

export const isErrorText = looksLike(ERRORS);

/** Tells a description as long as a column of a database, which ends in a sentence. */
export const isCutOff = looksLike([
  [/^(.{255,256}|.{500}|.{1000})(?<=[\p{L},])$/su, /^profile\.description$/],
]);

const isOddText = looksLike(ODD);

/**
 * Tells an odd text or number, and what cannot be together: a reversed range, an impossible percentage, fewer stars or
 * reviews than there are, the symbol of another currency, a delivery in cents.
 */
export function isOddValue(located: LocatedValue, record: JsonObject): boolean {
  const { path, value } = located;
  if (typeof value !== 'object') return isOddText(located);
  const each = Object(value);
  // Other percentages have their bounds in the source format.
  const isOdd = (amount: number, type: unknown) =>
    type === 'PERCENTAGE' && amount !== 0 && !(amount >= 1 && amount <= 100);
  const isDear = each.price >= MIN_CENTS && path.endsWith('ranges.0');
  return (
    each.min > each.max ||
    (each.maxHours !== null && each.minHours > each.maxHours) ||
    (!each.infiniteTo && each.rangeFrom > each.rangeTo) ||
    isOdd(each.discount, each.discountType) ||
    isOdd(each.refundAmount, each.refundType) ||
    (each.rating < 1 && each.total > 0) ||
    each.total < each.reviews?.length ||
    (each.symbol && (each.isoCode === 'EUR') !== /€|eur/i.test(each.symbol)) ||
    (isDear && /EUR|GBP|USD|CHF/.test(String(valueAt(record, 'pricing.currency.isoCode'))))
  );
}

/** Tells a closure, a season or a discount that ends before it begins. */
export function isReversedDate({ value }: LocatedValue): boolean {
  const { from, to } = Object(value);
  return Date.parse(from) > Date.parse(to);
}

/** Tells a schedule by which a store does not open. */
export function isNeverOpen({ path, value }: LocatedValue): boolean {
  return path === 'temporal.schedule' && !JSON.stringify(value).includes('"open":true');
}

/**
 * Tells opening hours that leave out the day: beginning and end swapped, or afternoons written as nights. Past
 * midnight, all day, and all day but an hour are none of these.
 */
export function isClosedByDay({ value }: LocatedValue): boolean {
  const { from, to, open } = Object(value);
  if (open !== true) return false;
  // Hours are enough.
  const [start = 0, end = 0] = [from, to].map((time) => Number.parseInt(time, 10));
  if (start < end) return start >= 1 && end <= 7;
  return start - end > 1 && start < 21 && end > (start > 12 ? 7 : 4);
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Tells a point at 0, 0, one of which a coordinate or all decimals were lost, or the latitude was written twice. */
export function isZeroPoint({ path, value }: LocatedValue): boolean {
  const { lat, lng }: Point = Object(value);
  const isNear = lat === 0 || lng === 0 || Math.max(Math.abs(lat), Math.abs(lng)) < 0.01;
  const isWhole = lat % 1 === 0 && lng % 1 === 0;
  return path.endsWith('.point') && (lat === lng || isNear || isWhole);
}

/**
 * Whether stores with time zones of a region, or of a zone, can be at a point. In Europe and Asia a swapped one is
 * elsewhere; in the west of Europe one whose longitude lost its sign.
 */
const REGIONS: Readonly<Record<string, (point: Point) => boolean>> = {
  Africa: ({ lat, lng }) => Math.abs(lat) < 38 && lng > -26 && lng < 60,
  America: ({ lat, lng }) => lat > -56 && lng < -30,
  Asia: ({ lat, lng }) => lng > 24 && lat < lng + 3,
  Atlantic: ({ lng }) => lng < 0,
  Australia: ({ lat, lng }) => lat < -9 && lng > 95,
  Europe: ({ lat, lng }) => lat > 27 && lat > lng - 3 && lng > -32,
  'Europe/Dublin': ({ lng }) => lng < -5,
  'Europe/Lisbon': ({ lng }) => lng < -6,
  'Europe/London': ({ lng }) => lng < 2,
};

/** Tells a point where the time zone of the store cannot be, as when latitude and longitude are swapped. */
export function isFarPoint({ path, value }: LocatedValue, record: JsonObject): boolean {
  const zone = String(valueAt(record, 'temporal.timezone'));
  const names = [zone, zone.replace(/\/.*/, '')];
  return path.endsWith('.point') && names.some((name) => REGIONS[name]?.(value as Point) === false);
}

/** Names of hosts that the public does not know: without a domain, as addresses and names of one machine are, or by their words. */
const NOT_PUBLIC =
  /^(?!.*\.[a-z][a-z\d-]*\.?$)|\.(local|localhost|internal|intranet|lan|home|corp|test|invalid|arpa)$|(^|[.-])((staging|preprod|uat)[.-]|(dev|preview|qa|test)\.[^.]+\.)|(^|\.)example\.(com|net|org)$/;

/** Tells a link to what customers cannot reach: a path alone, a page at localhost, one with a user name or password. */
export function isPrivateLink({ path, value }: LocatedValue): boolean {
  const link = String(value);
  if (!/^https?:/i.test(link)) return /url(s\.\d+)?$/i.test(path) && link.trim() !== '';
  const { username, password, hostname } = URL.parse(link) ?? {};
  return hostname !== undefined && (`${username}${password}` !== '' || NOT_PUBLIC.test(hostname));
}
