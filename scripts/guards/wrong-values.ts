/** Tells values that are wrong in themselves, whatever a store was before. */
import type { JsonObject, LocatedValue } from '../source/values-in.ts';

/** What programs write in place of a value that they lack, and templates that were not filled in. */
const NO_VALUE = [
  /^(null|none|nil|nan|undefined|n\/a|\(null\)|<nil>|\\N|#{3,})$/i,
  /^(NULL|undefined|NaN)(?=[\s,;:])|\[object \w+\]|\$\{\w|\{\{/,
  // A part of an address, of a URL.
  /(^|, )(null|NULL|undefined|nan|NaN)(?=,|$)/,
  /^https?:.*[/.=](null|undefined|NaN|\[object.*|\{.*|%7B.*)(?=[/?&#.]|$)/,
  // Lists, objects, bytes and long numbers, as programs write these.
  /^(b'|\['|\[?\{["'\\]|\d(\.\d+)?E\+\d+$)/i,
  /#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR!)/,
  /^([\w.]*(Error|Exception)|Warning): |^Traceback \(/,
];

/** Escapes of HTML, of JSON and of URLs. */
const ESCAPED =
  /&([a-z][a-z\d]{1,30}|#\d{1,7}|#x[\da-f]{1,6});|\\(u[\da-f]{4}|[nrt](?![a-z])|["'])|%C3%/i;

/** Text in another encoding than it was read in. */
const MISREAD = [
  // UTF-8 as Latin-1 or Windows-1252: letters, typographic signs, scripts of Asia; what was lost.
  /[ÂÃÄÅÎÏÐÑØÙ][^\0-\x7fÀ-ÿ]|â€|([à-ï][^\0-\x7fÀ-ÿ]{2}){2}|\ufffd/,
  // UTF-8 as Mac Roman, DOS and Windows-1251; other scripts as Latin-1; DOS and Mac as Windows-1252.
  /√[^\s\d(]|[\u2500-\u259f]|([РС][\u0400-\u04ff\u00a0-\u00bf\u2000-\u2122]){3}/,
  /[À-ÖØ-öø-ÿ]{4}|[A-Za-z][ГВ]|\p{L}[‚„†‡‰]|\p{Ll}[ŽŸ]/u,
];

/** A letter that a narrower encoding lacks: `Z?rich`. People write so too, when they review a store. */
const LOST_LETTER = /(^|\s)\p{L}+\?{1,2}\p{Ll}/u;

/** All but line ends and tabs. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

const NO_INSTANT = /^(0|1[0-8]|19[0-6]|1970)\d*-\d\d-\d\dT/;

/** Texts that have a letter. */
const IN_LETTERS = /^profile\.name$|omponents\.(city|country)$/;

/** Invisible characters, line ends among them, except those that join emoji or letters. */
const INVISIBLE = /(?!\u200c|\u200d)\p{Cf}|[\t\n\r]/u;

/** An id of a document or a row. */
const ID = /^([\da-f]{24}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Pairs of keys of which the second must not come before the first. */
const RANGES = [
  ['min', 'max'],
  ['minHours', 'maxHours'],
  ['rangeFrom', 'rangeTo'],
] as const;

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

/** Makes a function that tells the value at a path where it is empty, or where it is not. */
export const isAt =
  (wanted: string, state: 'empty' | 'given') =>
  ({ path, value }: LocatedValue): boolean =>
    path === wanted && isEmpty(value) === (state === 'empty');

/** Tells a text that no shop would write. */
export function isErrorText({ path, value }: LocatedValue): boolean {
  if (typeof value !== 'string' || value === '') return false;
  if (value.trim() === '' || [...NO_VALUE, ...MISREAD].some((sign) => sign.test(value)))
    return true;
  if (/^https?:/.test(value)) return false;
  return ESCAPED.test(value) || (!path.startsWith('reviews.') && LOST_LETTER.test(value));
}

/**
 * Tells a control character, a name that is an id, has no letter or has an invisible character, a reversed range, an
 * impossible percentage or date.
 */
export function isOddValue({ path, value }: LocatedValue): boolean {
  if (typeof value !== 'string') return isOddObject(Object(value));
  const isWord = /\p{L}/u.test(value) && !ID.test(value);
  const lacksLetters = IN_LETTERS.test(path) && value.trim() !== '' && !isWord;
  const isInvisible = path === 'profile.name' && INVISIBLE.test(value);
  return lacksLetters || isInvisible || CONTROL.test(value) || NO_INSTANT.test(value);
}

function isOddObject(each: JsonObject): boolean {
  const { percentage, discount, discountType, refundAmount, refundType } = each;
  const isReversed = RANGES.some(([from, to]) => {
    return typeof each[to] === 'number' && Number(each[from]) > each[to];
  });
  const isOver = (amount: unknown, type: unknown) => type === 'PERCENTAGE' && Number(amount) > 100;
  // No shop gives everything away. Other percentages have their bounds in the source format.
  const isOdd = percentage === 100 || isOver(discount, discountType);
  return isReversed || isOdd || isOver(refundAmount, refundType);
}

/** Tells a closure, a season or a discount that ends before it begins. Opening hours are no dates. */
export function isReversedDate({ value }: LocatedValue): boolean {
  const { from, to } = Object(value);
  return Date.parse(from) > Date.parse(to);
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** Tells a point at 0, 0, one of which a coordinate was lost, or one whose latitude was written twice. */
export function isZeroPoint({ path, value }: LocatedValue): boolean {
  const { lat, lng }: Point = Object(value);
  const isNear = lat === 0 || lng === 0 || Math.max(Math.abs(lat), Math.abs(lng)) < 0.01;
  return path.endsWith('.point') && (lat === lng || isNear);
}

/** Whether stores with time zones of a region can be at a point. In Europe and Asia a swapped one is elsewhere. */
const REGIONS: Readonly<Record<string, (point: Point) => boolean>> = {
  Africa: ({ lat, lng }) => Math.abs(lat) < 38 && lng > -26 && lng < 60,
  America: ({ lat, lng }) => lat > -56 && lng < -30,
  Asia: ({ lat, lng }) => lng > 24 && lat < lng + 3,
  Atlantic: ({ lng }) => lng < 0,
  Australia: ({ lat, lng }) => lat < -9 && lng > 95,
  Europe: ({ lat, lng }) => lat > 27 && lat > lng - 3 && lng > -32,
};

/** Tells a point where the time zone of the store cannot be, as when latitude and longitude are swapped. */
export function isFarPoint({ path, value }: LocatedValue, record: JsonObject): boolean {
  const [region = ''] = String(valueAt(record, 'temporal.timezone')).split('/');
  return path.endsWith('.point') && REGIONS[region]?.(value as Point) === false;
}

/** The name of a host that the public knows ends with a domain: addresses and names of one machine do not. */
const DOMAIN = /\.[a-z][a-z\d-]*\.?$/;

const NOT_PUBLIC =
  /\.(local|localhost|internal|intranet|lan|home|corp|test|invalid|arpa)$|(^|[.-])((staging|preprod|uat)[.-]|(dev|preview|qa|test)\.[^.]+\.)/;

/** Tells a link to what customers cannot reach, such as a page at localhost, or one with a user name or password. */
export function isPrivateLink({ value }: LocatedValue): boolean {
  if (typeof value !== 'string' || !/^https?:/i.test(value)) return false;
  const { username, password, hostname } = URL.parse(value) ?? {};
  if (hostname === undefined) return false;
  return `${username}${password}` !== '' || !DOMAIN.test(hostname) || NOT_PUBLIC.test(hostname);
}
