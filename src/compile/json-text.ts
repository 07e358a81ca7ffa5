/** Finds its way in JSON text as `JSON.stringify` writes it: no white space between tokens. */

export const COMMA = 0x2c;
export const COLON = 0x3a;
export const CLOSE_BRACKET = 0x5d;
export const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/** Where the value at `start` ends. */
export function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    // A value ends before a separator, before the bracket that holds it, or with the text.
    if (depth === 0 && isBoundary(bytes[at + 1])) return at + 1;
  }
}

/** A string of one text, and the string at the same place of another. */
export interface StringPair {
  readonly value: readonly [start: number, end: number];
  readonly other: readonly [start: number, end: number];
}

/**
 * The strings in which two texts differ that are alike but for strings.
 * @param start where the one begins in `bytes`; the other is the whole of `others`
 */
export function differingStrings(
  bytes: Uint8Array,
  start: number,
  others: Uint8Array,
): StringPair[] {
  const pairs: StringPair[] = [];
  let at = start;
  let otherAt = 0;
  while (otherAt < others.length) {
    if (bytes[at] !== others[otherAt]) throw new Error('the texts differ in more than strings');
    const end = bytes[at] === QUOTE ? skipString(bytes, at) : at + 1;
    const otherEnd = bytes[at] === QUOTE ? skipString(others, otherAt) : otherAt + 1;
    if (!areEqual(bytes, at, end, others, otherAt, otherEnd)) {
      pairs.push({ value: [at, end], other: [otherAt, otherEnd] });
    }
    at = end;
    otherAt = otherEnd;
  }
  return pairs;
}

/** Where the string whose opening quote is at `start` ends. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isBoundary(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined;
}

function areEqual(
  bytes: Uint8Array,
  start: number,
  end: number,
  others: Uint8Array,
  otherStart: number,
  otherEnd: number,
): boolean {
  if (end - start !== otherEnd - otherStart) return false;
  for (let offset = 0; offset < end - start; offset++) {
    if (bytes[start + offset] !== others[otherStart + offset]) return false;
  }
  return true;
}
