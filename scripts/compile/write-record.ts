/** Writes records; `src/snapshot/record-layout.ts` draws them. */
import {
  BOUNDS_WORD,
  LOCATION_COUNT_BYTE,
  MOST_LOCATIONS,
  RENTAL_POINT_WORDS,
  REPLACEMENT_WORDS,
  REPLACEMENTS_WORD,
  SLOTS_WORD,
  VARIANT_COUNT_BYTE,
  VARIANTS_WORD,
  WIDE_BYTE,
  WORD,
} from '../../src/snapshot/record-layout.ts';
import type { Range } from './record-text.ts';

/** A value of the base text, and the text that stands in its place. */
export interface Replacement {
  readonly value: Range;
  readonly text: Range;
}

/** What a record is made of besides its text; all ranges count from the start of that. */
interface RecordParts {
  /** Variant per language, then the one for requests without a language. */
  readonly variantOfLanguage: readonly number[];
  /** Start of the base text, and the end of each field. */
  readonly bounds: readonly number[];
  /** Replacements of each variant, in the order of the base text. */
  readonly variants: readonly (readonly Replacement[])[];
  readonly rentalPoints: readonly {
    /** Start of the fields that depend on it, and the end of each. */
    readonly bounds: readonly number[];
    /** Frame of addressComponents. */
    readonly frame: number;
  }[];
  /** Where the locations of `geo` lie, the main one first. */
  readonly locations: readonly Range[];
  /** Of all frames. */
  readonly slots: readonly number[];
}

const LARGEST_NARROW = 0xffff;

/**
 * Lays a record out, its fingerprint still zero; its length is a multiple of 4.
 * @throws Error when the store has more locations than a record can count
 */
export function writeRecord(parts: RecordParts, text: Uint8Array): Uint8Array<ArrayBuffer> {
  const { variants, rentalPoints, locations, slots } = parts;
  const { length: count } = locations;
  if (count > MOST_LOCATIONS) {
    throw new Error(`a store has ${count} locations: MOST_LOCATIONS is ${MOST_LOCATIONS}`);
  }
  const isWide = slots.some((slot) => slot > LARGEST_NARROW);
  const slotBytes = isWide ? WORD : WORD / 2;
  const replacements = variants.reduce((sum, { length }) => sum + length, 0);
  const replacementsStart =
    WORD * (VARIANTS_WORD + variants.length + 1 + RENTAL_POINT_WORDS * rentalPoints.length);
  const slotsStart = replacementsStart + WORD * REPLACEMENT_WORDS * replacements;
  const textStart = roundUp(slotsStart + slotBytes * slots.length);
  const record = new Uint8Array(roundUp(textStart + text.length));
  const view = new DataView(record.buffer);
  record.set(parts.variantOfLanguage, 0);
  view.setUint8(VARIANT_COUNT_BYTE, variants.length);
  view.setUint16(LOCATION_COUNT_BYTE, count, true);
  view.setUint16(WIDE_BYTE, isWide ? 1 : 0, true);
  view.setUint32(SLOTS_WORD * WORD, slotsStart, true);
  view.setUint32(REPLACEMENTS_WORD * WORD, replacementsStart, true);
  const words = wordsOf(parts, textStart);
  new Uint32Array(record.buffer, BOUNDS_WORD * WORD, words.length).set(words);
  const SlotArray = isWide ? Uint32Array : Uint16Array;
  new SlotArray(record.buffer, slotsStart, slots.length).set(slots);
  record.set(text, textStart);
  return record;
}

/** The words of the header from the bounds on, replacements included. */
function wordsOf(parts: RecordParts, textStart: number): number[] {
  const [main = [0, 0], ...points] = parts.locations;
  const words: number[] = [];
  const at = (...positions: readonly number[]) => {
    for (const position of positions) words.push(textStart + position);
  };
  at(...parts.bounds, main[1]);
  let first = 0;
  for (const { length } of parts.variants) {
    words.push(first);
    first += length;
  }
  words.push(first);
  for (const [index, { bounds, frame }] of parts.rentalPoints.entries()) {
    at(...(points[index] as Range), ...bounds);
    words.push(frame);
  }
  for (const { value, text } of parts.variants.flat()) at(...value, ...text);
  return words;
}

const roundUp = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;
