/**
 * Cuts chosen keys out of JSON text without parsing it: the bytes that stay are copied as they are.
 *
 * It relies on what the compiler writes: no white space between tokens, and keys in contract
 * order, which is the order of selections too.
 */
import type { FieldSelection } from '../model/field-paths.ts';
import type { SegmentList } from './segment-list.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const PUNCTUATION = new TextEncoder().encode('{}[],');
const [AT_OPEN_BRACE, AT_CLOSE_BRACE, AT_OPEN_BRACKET, AT_CLOSE_BRACKET, AT_COMMA] = [
  0, 1, 2, 3, 4,
];

/** A selection with its keys as the bytes of `"key":`. */
export type Cut = readonly { readonly key: Uint8Array; readonly below: Cut | null }[];

const encoder = new TextEncoder();

/** Prepares a selection for cutting. */
export function cutOf(selection: FieldSelection): Cut {
  return [...selection].map(([key, below]) => ({
    key: encoder.encode(`"${key}":`),
    below: below && cutOf(below),
  }));
}

/**
 * Appends the part of the value at `start` that `cut` chooses: of an object the chosen keys, of an
 * array every element cut alike, of anything else (null) all.
 */
export function addCut(segments: SegmentList, bytes: Uint8Array, start: number, cut: Cut): void {
  addValue(segments, bytes, start, cut, false);
}

/**
 * @param endNeeded false when nothing after the value matters, so that what is left of an object
 *   after its last chosen key need not be looked at
 * @returns where the value ends, if that is needed
 */
function addValue(
  segments: SegmentList,
  bytes: Uint8Array,
  start: number,
  cut: Cut,
  endNeeded: boolean,
): number {
  if (bytes[start] === OPEN_BRACE) return addObject(segments, bytes, start, cut, endNeeded);
  if (bytes[start] === OPEN_BRACKET) return addArray(segments, bytes, start, cut);
  const end = skipValue(bytes, start);
  segments.add(bytes, start, end);
  return end;
}

function addObject(
  segments: SegmentList,
  bytes: Uint8Array,
  start: number,
  cut: Cut,
  endNeeded: boolean,
): number {
  let next = 0;
  let at = start + 1;
  segments.add(PUNCTUATION, AT_OPEN_BRACE, AT_OPEN_BRACE + 1);
  while (bytes[at] !== CLOSE_BRACE && (endNeeded || next < cut.length)) {
    if (bytes[at] === COMMA) at++;
    const valueStart = skipString(bytes, at) + 1;
    const chosen = cut[next];
    if (!chosen || !startsWith(bytes, at, chosen.key)) {
      at = skipValue(bytes, valueStart);
      continue;
    }
    if (next++ > 0) segments.add(PUNCTUATION, AT_COMMA, AT_COMMA + 1);
    if (chosen.below === null) {
      const end = skipValue(bytes, valueStart);
      segments.add(bytes, at, end);
      at = end;
    } else {
      segments.add(bytes, at, valueStart);
      const more = endNeeded || next < cut.length;
      at = addValue(segments, bytes, valueStart, chosen.below, more);
    }
  }
  segments.add(PUNCTUATION, AT_CLOSE_BRACE, AT_CLOSE_BRACE + 1);
  return at + 1;
}

function addArray(segments: SegmentList, bytes: Uint8Array, start: number, cut: Cut): number {
  let at = start + 1;
  segments.add(PUNCTUATION, AT_OPEN_BRACKET, AT_OPEN_BRACKET + 1);
  while (bytes[at] !== CLOSE_BRACKET) {
    if (bytes[at] === COMMA) {
      segments.add(PUNCTUATION, AT_COMMA, AT_COMMA + 1);
      at++;
    }
    at = addValue(segments, bytes, at, cut, true);
  }
  segments.add(PUNCTUATION, AT_CLOSE_BRACKET, AT_CLOSE_BRACKET + 1);
  return at + 1;
}

/** Where the string whose opening quote is at `start` ends. */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Where the value at `start` ends. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = skipString(bytes, at) - 1;
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
    // What follows a value outside of any bracket: its separator, or the end of what holds it.
    const following = bytes[at + 1];
    if (depth === 0 && isBoundary(following)) return at + 1;
  }
}

function isBoundary(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === undefined;
}

function startsWith(bytes: Uint8Array, at: number, key: Uint8Array): boolean {
  for (let index = 0; index < key.length; index++) {
    if (bytes[at + index] !== key[index]) return false;
  }
  return true;
}
