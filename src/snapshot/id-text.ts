/**
 * Ids as they are written: 24 hexadecimal digits in any case. Their bytes lose the case, so where it
 * matters a number goes with them in which bit d is set when digit d is an upper-case letter.
 *
 * Ids are ordered as texts, by code unit: digits, then upper-case letters, then lower-case ones.
 */

/** Bytes of an id. */
export const ID_BYTES = 12;
/** Digits of an id. */
export const ID_DIGITS = 2 * ID_BYTES;

const UPPER_CASE = /[A-F]/;
const UPPER_A = 0x41;
const UPPER_F = 0x46;
const DIGITS = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));
/** By how much the code of a letter is lower in upper case. */
const CASE_STEP = 0x20;
const TEN = 10;

/** Which digits of an id are upper-case letters. */
export function casesOf(id: string): number {
  if (!UPPER_CASE.test(id)) return 0;
  let cases = 0;
  for (let digit = 0; digit < ID_DIGITS; digit++) {
    const code = id.charCodeAt(digit);
    if (code >= UPPER_A && code <= UPPER_F) cases |= 1 << digit;
  }
  return cases;
}

/** The column of `casesOf`; empty where no id has an upper-case letter. */
export function writeCases(ids: readonly string[]): Uint32Array<ArrayBuffer> {
  const cases = Uint32Array.from(ids, casesOf);
  return cases.some((one) => one !== 0) ? cases : new Uint32Array();
}

/** An id among others: where its bytes start, and its case. */
export interface IdPlace {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly cases: number;
}

/** Below zero when `a` comes before `b`, zero when they are the same text. */
export function compareIds(a: IdPlace, b: IdPlace): number {
  for (let index = 0; index < ID_BYTES; index++) {
    const [left, right] = [a.bytes[a.start + index] as number, b.bytes[b.start + index] as number];
    const digit = 2 * index;
    const difference =
      digitCode(left >> 4, a.cases, digit) - digitCode(right >> 4, b.cases, digit) ||
      digitCode(left & 15, a.cases, digit + 1) - digitCode(right & 15, b.cases, digit + 1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Writes the text of an id, 24 bytes of ASCII, into `text` from `at` on. */
export function copyIdText(id: IdPlace, text: Uint8Array, at: number): void {
  for (let index = 0; index < ID_BYTES; index++) {
    const byte = id.bytes[id.start + index] as number;
    const digit = 2 * index;
    text[at + digit] = digitCode(byte >> 4, id.cases, digit);
    text[at + digit + 1] = digitCode(byte & 15, id.cases, digit + 1);
  }
}

/** The code unit of a digit of this value, at this place of an id. */
function digitCode(value: number, cases: number, digit: number): number {
  const code = DIGITS[value] as number;
  return value >= TEN && (cases >> digit) & 1 ? code - CASE_STEP : code;
}
