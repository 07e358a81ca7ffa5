/**
 * A record: one store's answers in every language and for every location, as ready JSON text.
 *
 * The *base text* is the whole answer in the default variant for the main location. Other answers
 * are the base text with some of its fields replaced. A *variant* is one language really used; a
 * *location* is 0 for the main one, 1… for the rental points.
 *
 *     offset  size    what
 *     0       9       variant for a request in each of the eight languages, and without one
 *     9       1       number of variants, V
 *     10      2       number of locations, L; 0 when the address is hidden
 *     12      2       number of distinct geo texts, G; 0 when the address is hidden
 *     14      2       zero
 *     16      4·28    bounds of the base text: start, then the end of each of the 27 fields
 *     …       4·9·V   variants: start and end of profile, localization, pricing, booking; geo text
 *     …       4·G·(3 + 2·(L−1))  geo texts: start, end of its main location, end; then start and
 *                     end of each rental point in it
 *     …       4·6·(L−1)  rental points: start of rentalPointSlug, its end, then the ends of lat,
 *                     lng, address, addressComponents
 *     …               the texts, UTF-8
 *
 * Numbers are little-endian; offsets count bytes from the start of the record, which lies on a
 * multiple of 4 in its chunk. The text of a field is `"key":value` with the `{` or `,` before it;
 * the base text ends with `}` after its last field. A field that the base text lacks is empty.
 * When L is 0, locations are null in every answer and there are no geo texts: the geo field of
 * the base text serves all variants.
 */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';

const WORD = Uint32Array.BYTES_PER_ELEMENT;
const LANGUAGE_SLOTS = LANGUAGES.length + 1;
const FIELD_COUNT = STORE_FIELDS.length;

const VARIANT_COUNT_BYTE = LANGUAGE_SLOTS;
const LOCATION_COUNT_BYTE = VARIANT_COUNT_BYTE + 1;
const GEO_COUNT_BYTE = LOCATION_COUNT_BYTE + 2;
const BOUNDS_WORD = (GEO_COUNT_BYTE + 2 /* geo count */ + 2) /* zero */ / WORD;
const VARIANTS_WORD = BOUNDS_WORD + 1 + FIELD_COUNT;

/** Fields that depend on the language alone, in the order of a variant's bounds. */
export const VARIANT_FIELDS = ['profile', 'localization', 'pricing', 'booking'] as const;
/** Fields that depend on the location alone and follow each other in a rental point's text. */
export const LOCATION_FIELDS = ['lat', 'lng', 'address', 'addressComponents'] as const;

const VARIANT_WORDS = 2 * VARIANT_FIELDS.length + 1;
const GEO_FIXED_WORDS = 3;
const RENTAL_POINT_WORDS = 2 + LOCATION_FIELDS.length;

const encoder = new TextEncoder();

export type Range = readonly [start: number, end: number];

export type VariantField = (typeof VARIANT_FIELDS)[number];

const FIELD_NUMBER = Object.fromEntries(
  STORE_FIELDS.map((field, index) => [field, index]),
) as Record<StoreField, number>;

const VARIANT_FIELD_INDEX = Object.fromEntries(
  VARIANT_FIELDS.map((field, index) => [field, index]),
) as Record<VariantField, number>;

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

/** A chunk of records in memory, viewed as bytes and as words. */
export class Chunk {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;

  constructor(buffer: ArrayBuffer) {
    this.bytes = new Uint8Array(buffer);
    this.words = new Uint32Array(buffer, 0, Math.floor(buffer.byteLength / WORD));
  }
}

/**
 * Reads one record in place. Offsets it gives out count from the start of the chunk. One reader
 * is moved from record to record, so that a page of stores allocates nothing per store.
 */
export class RecordReader {
  chunk!: Chunk;
  locationCount = 0;
  private start = 0;
  private startWord = 0;
  private geosWord = 0;
  private geoWords = 0;
  private rentalPointsWord = 0;

  /** Moves to the record at `offset` of `chunk`. */
  moveTo(chunk: Chunk, offset: number): void {
    const { bytes } = chunk;
    this.chunk = chunk;
    this.start = offset;
    this.startWord = offset / WORD;
    const variantCount = bytes[offset + VARIANT_COUNT_BYTE] as number;
    this.locationCount = this.u16(LOCATION_COUNT_BYTE);
    const rentalPointCount = Math.max(0, this.locationCount - 1);
    this.geosWord = VARIANTS_WORD + VARIANT_WORDS * variantCount;
    this.geoWords = GEO_FIXED_WORDS + 2 * rentalPointCount;
    this.rentalPointsWord = this.geosWord + this.geoWords * this.u16(GEO_COUNT_BYTE);
  }

  /** The variant that answers a request in `language` (null: without one). */
  variantFor(language: Language | null): number {
    const slot = language === null ? LANGUAGES.length : LANGUAGES.indexOf(language);
    return this.chunk.bytes[this.start + slot] as number;
  }

  /** Start of the base text. */
  baseStart(): number {
    return this.word(BOUNDS_WORD);
  }

  /** End of the base text, its closing brace included. */
  baseEnd(): number {
    return this.word(BOUNDS_WORD + FIELD_COUNT) + 1;
  }

  /** Where the text of a field starts in the base text. */
  fieldStart(field: StoreField): number {
    return this.word(BOUNDS_WORD + FIELD_NUMBER[field]);
  }

  fieldEnd(field: StoreField): number {
    return this.word(BOUNDS_WORD + 1 + FIELD_NUMBER[field]);
  }

  variantFieldStart(variant: number, field: VariantField): number {
    return this.word(VARIANTS_WORD + VARIANT_WORDS * variant + 2 * VARIANT_FIELD_INDEX[field]);
  }

  variantFieldEnd(variant: number, field: VariantField): number {
    return this.word(VARIANTS_WORD + VARIANT_WORDS * variant + 2 * VARIANT_FIELD_INDEX[field] + 1);
  }

  /** Start of the geo field's text in a variant. Only for displayed addresses, like all below. */
  geoStart(variant: number): number {
    return this.word(this.geoWord(variant));
  }

  /** Where the main location's object ends in a variant's geo text. */
  geoMainEnd(variant: number): number {
    return this.word(this.geoWord(variant) + 1);
  }

  geoEnd(variant: number): number {
    return this.word(this.geoWord(variant) + 2);
  }

  /** Start of the object of rental point `location` (1…) in a variant's geo text. */
  rentalPointStart(variant: number, location: number): number {
    return this.word(this.geoWord(variant) + GEO_FIXED_WORDS + 2 * (location - 1));
  }

  rentalPointEnd(variant: number, location: number): number {
    return this.word(this.geoWord(variant) + GEO_FIXED_WORDS + 2 * (location - 1) + 1);
  }

  /** Start of the text of rentalPointSlug of rental point `location` (1…). */
  slugStart(location: number): number {
    return this.word(this.rentalPointsWord + RENTAL_POINT_WORDS * (location - 1));
  }

  slugEnd(location: number): number {
    return this.word(this.rentalPointsWord + RENTAL_POINT_WORDS * (location - 1) + 1);
  }

  /** The number (1…) of the rental point with this slug, or null. */
  findRentalPoint(slug: string): number | null {
    const wanted = encoder.encode(`,"rentalPointSlug":${JSON.stringify(slug)}`);
    for (let location = 1; location < this.locationCount; location++) {
      const found = this.chunk.bytes.subarray(this.slugStart(location), this.slugEnd(location));
      if (found.length === wanted.length && found.every((byte, at) => byte === wanted[at])) {
        return location;
      }
    }
    return null;
  }

  /** End of the `index`-th of LOCATION_FIELDS; it starts where the one before it, or the slug, ends. */
  locationFieldEnd(location: number, index: number): number {
    return this.word(this.rentalPointsWord + RENTAL_POINT_WORDS * (location - 1) + 2 + index);
  }

  private geoWord(variant: number): number {
    const number = VARIANTS_WORD + VARIANT_WORDS * variant + VARIANT_WORDS - 1;
    const geo = this.chunk.words[this.startWord + number] as number;
    return this.geosWord + this.geoWords * geo;
  }

  private word(index: number): number {
    return this.start + (this.chunk.words[this.startWord + index] as number);
  }

  private u16(byte: number): number {
    const { bytes } = this.chunk;
    const at = this.start + byte;
    return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
  }
}
