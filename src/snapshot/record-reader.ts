/** Reads records in place; `record-layout.ts` draws them. */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
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

const FIELD_COUNT = STORE_FIELDS.length;

const FIELD_NUMBER = Object.fromEntries(
  STORE_FIELDS.map((field, index) => [field, index]),
) as Record<StoreField, number>;

const VARIANT_FIELD_INDEX = Object.fromEntries(
  VARIANT_FIELDS.map((field, index) => [field, index]),
) as Record<VariantField, number>;

const encoder = new TextEncoder();

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
