/**
 * Finds values that are wrong in themselves, whatever a store was before. Each function takes the record of
 * a store and returns the first such value.
 */
import type { StoreRecord } from '../diff/read-changes.ts';
import { type LocatedValue, valuesIn } from '../source/values-in.ts';

/** What programs write in place of a value that they lack, and templates that were not filled in. */
const NO_VALUE = [
  /^(null|none|nil|nan|undefined|n\/a|\(null\)|<nil>|\\N|#{3,})$/i,
  /^(NULL|undefined|NaN)(?=[\s,;:])|\[object \w+\]|\$\{\w|\{\{/,
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
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

const NO_INSTANT = /^(0|1[0-8]|19[0-6]|1970)\d*-\d\d-\d\dT/;

/** Texts that have a letter. */
const IN_LETTERS = /^profile\.name$|omponents\.(city|country)$/;

/** Invisible characters, except those that join emoji or letters. */
const INVISIBLE = /(?!\u200c|\u200d)\p{Cf}/u;

/** Pairs of keys of which the second must not come before the first. */
const RANGES = [
  ['min', 'max'],
  ['minHours', 'maxHours'],
  ['rangeFrom', 'rangeTo'],
] as const;

/** Returns what lies at a dotted path; undefined where nothing does. */
export function valueAt(record: StoreRecord | null, path: string): unknown {
  return path.split('.').reduce<unknown>((held, key) => Object(held)[key], record);
}

/** Returns whether a value says nothing, whatever holds it. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === null || value === undefined;
}

/** Makes the function that finds the text at `path` empty. */
export const findEmpty =
  (path: string) =>
  (record: StoreRecord): LocatedValue | undefined => {
    const value = valueAt(record, path);
    return isEmpty(value) ? { path, value } : undefined;
  };

/** Finds a text that no shop would write. */
export function findErrorText(record: StoreRecord): LocatedValue | undefined {
  return valuesIn(record).find(({ path, value }) => {
    if (typeof value !== 'string' || value === '') return false;
    const isUrl = /^https?:/.test(value);
    const signs = [...NO_VALUE, ...MISREAD, ...(isUrl ? [] : [ESCAPED])];
    const hasLost = !isUrl && !path.startsWith('reviews.') && LOST_LETTER.test(value);
    return hasLost || value.trim() === '' || signs.some((sign) => sign.test(value));
  });
}

/**
 * Finds a control character, a name without a letter or with an invisible character, a reversed range, an
 * impossible percentage or date.
 */
export function findOddValue(record: StoreRecord): LocatedValue | undefined {
  return valuesIn(record).find(({ path, value }) => {
    if (typeof value !== 'string') return isOddObject(Object(value));
    const lacksLetters = IN_LETTERS.test(path) && value.trim() !== '' && !/\p{L}/u.test(value);
    const isInvisible = path === 'profile.name' && INVISIBLE.test(value);
    return lacksLetters || isInvisible || CONTROL.test(value) || NO_INSTANT.test(value);
  });
}

function isOddObject(each: StoreRecord): boolean {
  const isReversed = RANGES.some(([from, to]) => {
    const [low, high] = [each[from], each[to]];
    return typeof low === 'number' && typeof high === 'number' && low > high;
  });
  return isReversed || isOddPercentage(each);
}

/** Other percentages have their bounds in the source format. No shop gives everything away. */
function isOddPercentage(each: StoreRecord): boolean {
  const { percentage, discount, discountType, refundAmount, refundType } = each;
  const isOdd = (amount: unknown, type: unknown) => type === 'PERCENTAGE' && Number(amount) > 100;
  return percentage === 100 || isOdd(discount, discountType) || isOdd(refundAmount, refundType);
}

/** Finds a closure, a season or a discount that ends before it begins. Opening hours may run past midnight. */
export function findReversedDates(record: StoreRecord): LocatedValue | undefined {
  return valuesIn(record).find(({ value }) => {
    const { from, to } = Object(value);
    return String(from).includes('T') && Date.parse(from) > Date.parse(to);
  });
}

interface Point {
  readonly lat: number;
  readonly lng: number;
}

function findPoint(record: StoreRecord, isWrong: (point: Point) => boolean) {
  return valuesIn(record).find(
    ({ path, value }) => path.endsWith('.point') && isWrong(value as Point),
  );
}

/** Finds a point at 0, 0, or one whose latitude was written twice. */
export function findZeroPoint(record: StoreRecord): LocatedValue | undefined {
  return findPoint(record, ({ lat, lng }) => {
    return lat === lng || Math.max(Math.abs(lat), Math.abs(lng)) < 0.01;
  });
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

/** Finds a point where the time zone of the store cannot be, as when latitude and longitude are swapped. */
export function findFarPoint(record: StoreRecord): LocatedValue | undefined {
  const [region = ''] = String(valueAt(record, 'temporal.timezone')).split('/');
  const canBe = REGIONS[region];
  return findPoint(record, (point) => canBe?.(point) === false);
}

const NOT_PUBLIC = [
  /^[^.[]+$/,
  /\.(local|localhost|internal|intranet|lan|home|corp|test|invalid|arpa)$/,
  /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\.[\d.]+$/,
  /^\[(::|f[cd]|fe80)/,
  /(^|[.-])(staging|preprod|uat)[.-]/,
];

/** Finds a link to what customers cannot reach, such as a page at localhost, or one with a user name or password. */
export function findPrivateLink(record: StoreRecord): LocatedValue | undefined {
  return valuesIn(record).find(({ value }) => {
    if (typeof value !== 'string' || !/^https?:/i.test(value)) return false;
    const { username = '', password = '', hostname = '' } = URL.parse(value) ?? {};
    return username !== '' || password !== '' || NOT_PUBLIC.some((sign) => sign.test(hostname));
  });
}
