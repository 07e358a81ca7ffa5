/** Text that is an error in itself, and values that cannot be meant. */
import { type LocatedValue, valuesIn } from '../source/values-in.ts';

/** What programs write in the place of a value that they lack. */
const NO_VALUE = /^(NULL|undefined|NaN|\[object Object\])(?=$|[\s,;:])|^(null|None|N\/A)$/;

/** Escapes of HTML that were escaped, or written as they are. */
const ESCAPED = /&(amp|quot|lt|gt|apos|nbsp|#\d{1,5}|#x[0-9a-fA-F]{1,4});/;

/** UTF-8 that was read as Latin-1 or Windows-1252, and what stands for a character that was lost. */
const MISREAD =
  /[ÃÂ][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|â€|\ufffd/;

/** All but line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

/** Pairs of keys of which the second must not come before the first. */
const RANGES = [
  ['min', 'max'],
  ['minHours', 'maxHours'],
  ['rangeFrom', 'rangeTo'],
] as const;

/** The first text in a value that no shop would write. */
export function findErrorText(value: unknown): LocatedValue | undefined {
  return valuesIn(value).find(({ value: each }) => {
    if (typeof each !== 'string' || each === '') return false;
    return each.trim() === '' || NO_VALUE.test(each) || ESCAPED.test(each) || MISREAD.test(each);
  });
}

/** The first control character, range that ends before it begins, or impossible percentage. */
export function findOddValue(value: unknown): LocatedValue | undefined {
  return valuesIn(value).find(({ value: each }) => {
    if (typeof each === 'string') return CONTROL.test(each);
    return isOddObject(Object(each));
  });
}

function isOddObject(each: Readonly<Record<string, unknown>>): boolean {
  const isReversed = RANGES.some(([from, to]) => isAfter(each[from], each[to]));
  return isReversed || isReversedTime(each) || isOddPercentage(each);
}

function isAfter(from: unknown, to: unknown): boolean {
  return typeof from === 'number' && typeof to === 'number' && from > to;
}

/** Rows of opening hours may run past midnight; ranges of instants may not end before they begin. */
function isReversedTime({ from, to }: Readonly<Record<string, unknown>>): boolean {
  if (typeof from !== 'string' || typeof to !== 'string' || !from.includes('T')) return false;
  return Date.parse(from) > Date.parse(to);
}

/** Other percentages have their bounds in the source format. */
function isOddPercentage(each: Readonly<Record<string, unknown>>): boolean {
  const { discount, discountType, refundAmount, refundType } = each;
  const isOdd = (amount: unknown, type: unknown) => type === 'PERCENTAGE' && Number(amount) > 100;
  return isOdd(discount, discountType) || isOdd(refundAmount, refundType);
}
