/** Writes records; `record-layout.ts` draws them. */
import {
  BOUNDS_WORD,
  GEO_COUNT_BYTE,
  GEO_FIXED_WORDS,
  LOCATION_COUNT_BYTE,
  RENTAL_POINT_WORDS,
  VARIANT_COUNT_BYTE,
  VARIANT_FIELDS,
  VARIANT_WORDS,
  VARIANTS_WORD,
  type VariantField,
  WORD,
} from './record-layout.ts';

export type Range = readonly [start: number, end: number];

/** What a record is made of; ranges count from the start of `text`. */
export interface RecordParts {
  /** Variant per language, then the one for requests without a language. */
  readonly variantOfLanguage: readonly number[];
  /** 28 numbers: start of the base text and end of each field. */
  readonly bounds: readonly number[];
  readonly variants: readonly {
    readonly fields: Readonly<Record<VariantField, Range>>;
    readonly geo: number;
  }[];
  readonly geos: readonly {
    readonly start: number;
    readonly mainEnd: number;
    readonly end: number;
    readonly rentalPoints: readonly Range[];
  }[];
  readonly rentalPoints: readonly {
    readonly slug: Range;
    /** Ends of lat, lng, address, addressComponents; lat starts where the slug ends. */
    readonly ends: readonly number[];
  }[];
  /** False when the address is hidden: no locations at all. */
  readonly displayed: boolean;
  readonly text: Uint8Array;
}

/** Lays a record out; its length is a multiple of 4. */
export function writeRecord(parts: RecordParts): Uint8Array<ArrayBuffer> {
  const words: number[] = [];
  const locationCount = parts.displayed ? 1 + parts.rentalPoints.length : 0;
  const rentalPointCount = parts.rentalPoints.length;
  const headerWords =
    VARIANTS_WORD +
    VARIANT_WORDS * parts.variants.length +
    (GEO_FIXED_WORDS + 2 * rentalPointCount) * parts.geos.length +
    RENTAL_POINT_WORDS * rentalPointCount;
  const textStart = headerWords * WORD;
  const at = (...offsets: readonly number[]) => {
    for (const offset of offsets) words.push(textStart + offset);
  };
  at(...parts.bounds);
  for (const variant of parts.variants) {
    for (const field of VARIANT_FIELDS) at(...variant.fields[field]);
    words.push(variant.geo);
  }
  for (const geo of parts.geos) {
    at(geo.start, geo.mainEnd, geo.end, ...geo.rentalPoints.flat());
  }
  for (const { slug, ends } of parts.rentalPoints) at(...slug, ...ends);

  const length = Math.ceil((textStart + parts.text.length) / WORD) * WORD;
  const record = new Uint8Array(length);
  const view = new DataView(record.buffer);
  record.set(parts.variantOfLanguage, 0);
  view.setUint8(VARIANT_COUNT_BYTE, parts.variants.length);
  view.setUint16(LOCATION_COUNT_BYTE, locationCount, true);
  view.setUint16(GEO_COUNT_BYTE, parts.geos.length, true);
  words.forEach((word, index) => {
    view.setUint32((BOUNDS_WORD + index) * WORD, word, true);
  });
  record.set(parts.text, textStart);
  return record;
}
