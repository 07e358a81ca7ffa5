/** Writes records; `record-layout.ts` draws them. */
import {
  BOUNDS_WORD,
  FINGERPRINT_BYTE,
  GEO_COUNT_BYTE,
  GEO_FIXED_WORDS,
  LOCATION_COUNT_BYTE,
  RENTAL_POINT_WORDS,
  SLOTS_WORD,
  VARIANT_COUNT_BYTE,
  VARIANT_FIELDS,
  VARIANT_WORDS,
  VARIANTS_WORD,
  type VariantField,
  WIDE_BYTE,
  WORD,
} from './record-layout.ts';
import { FINGERPRINT_BYTES } from './store-columns.ts';

export type Range = readonly [start: number, end: number];

/** A text in a record, and the first slot of its frame. */
export interface FramedText {
  readonly range: Range;
  readonly frame: number;
}

/** What a record is made of; ranges count from the start of `text`. */
export interface RecordParts {
  /** Variant per language, then the one for requests without a language. */
  readonly variantOfLanguage: readonly number[];
  /** 28 numbers: start of the base text and end of each field. */
  readonly bounds: readonly number[];
  readonly variants: readonly {
    readonly fields: Readonly<Record<VariantField, FramedText>>;
    readonly geo: number;
  }[];
  readonly geos: readonly {
    readonly start: number;
    readonly mainEnd: number;
    readonly end: number;
    readonly frame: number;
    readonly rentalPoints: readonly Range[];
  }[];
  readonly rentalPoints: readonly {
    readonly slug: Range;
    /** Ends of lat, lng, address, addressComponents; lat starts where the slug ends. */
    readonly ends: readonly number[];
    /** Frame of addressComponents. */
    readonly frame: number;
  }[];
  /** False when the address is hidden: no locations at all. */
  readonly displayed: boolean;
  readonly slots: readonly number[];
  readonly text: Uint8Array;
}

const LARGEST_NARROW = 0xffff;

/** Lays a record out, its fingerprint still zero; its length is a multiple of 4. */
export function writeRecord(parts: RecordParts): Uint8Array<ArrayBuffer> {
  const isWide = parts.slots.some((slot) => slot > LARGEST_NARROW);
  const slotBytes = isWide ? WORD : WORD / 2;
  const slotsStart = headerWords(parts) * WORD;
  const textStart = roundUp(slotsStart + slotBytes * parts.slots.length);
  const record = new Uint8Array(roundUp(textStart + parts.text.length));
  const view = new DataView(record.buffer);
  record.set(parts.variantOfLanguage, 0);
  view.setUint8(VARIANT_COUNT_BYTE, parts.variants.length);
  view.setUint16(LOCATION_COUNT_BYTE, parts.displayed ? 1 + parts.rentalPoints.length : 0, true);
  view.setUint16(GEO_COUNT_BYTE, parts.geos.length, true);
  view.setUint16(WIDE_BYTE, isWide ? 1 : 0, true);
  view.setUint32(SLOTS_WORD * WORD, slotsStart, true);
  offsets(parts, textStart).forEach((word, index) => {
    view.setUint32((BOUNDS_WORD + index) * WORD, word, true);
  });
  parts.slots.forEach((slot, index) => {
    if (isWide) view.setUint32(slotsStart + slotBytes * index, slot, true);
    else view.setUint16(slotsStart + slotBytes * index, slot, true);
  });
  record.set(parts.text, textStart);
  return record;
}

/** Writes the fingerprint into a record. @param hash SHA-256 of the record without it */
export function setFingerprint(record: Uint8Array, hash: Uint8Array): void {
  record.set(hash.subarray(0, FINGERPRINT_BYTES), FINGERPRINT_BYTE);
}

/** The fingerprint in a record. */
export function fingerprintOf(record: Uint8Array): Uint8Array {
  return record.slice(FINGERPRINT_BYTE, FINGERPRINT_BYTE + FINGERPRINT_BYTES);
}

function headerWords({ variants, geos, rentalPoints }: RecordParts): number {
  return (
    VARIANTS_WORD +
    VARIANT_WORDS * variants.length +
    (GEO_FIXED_WORDS + 2 * rentalPoints.length) * geos.length +
    RENTAL_POINT_WORDS * rentalPoints.length
  );
}

/** The words of the header from the bounds on. */
function offsets(parts: RecordParts, textStart: number): number[] {
  const words: number[] = [];
  const at = (...positions: readonly number[]) => {
    for (const position of positions) words.push(textStart + position);
  };
  at(...parts.bounds);
  for (const { fields, geo } of parts.variants) {
    for (const field of VARIANT_FIELDS) {
      at(...fields[field].range);
      words.push(fields[field].frame);
    }
    words.push(geo);
  }
  for (const { start, mainEnd, end, frame, rentalPoints } of parts.geos) {
    at(start, mainEnd, end);
    words.push(frame);
    at(...rentalPoints.flat());
  }
  for (const { slug, ends, frame } of parts.rentalPoints) {
    at(...slug, ...ends);
    words.push(frame);
  }
  return words;
}

const roundUp = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;
