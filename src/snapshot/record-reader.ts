/** Reads records in place; `record-layout.ts` draws them. */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import type { Chunk } from './chunks.ts';
import { FINGERPRINT_BYTES } from './compared-stores.ts';
import { ID_DIGITS } from './id-table.ts';
import {
  BOUNDS_WORD,
  FINGERPRINT_BYTE,
  LOCATION_COUNT_BYTE,
  LOCATION_FIELDS,
  type LocationField,
  MAIN_END_WORD,
  RENTAL_POINT_WORDS,
  REPLACEMENT_WORDS,
  REPLACEMENTS_WORD,
  SLOTS_WORD,
  VARIANT_COUNT_BYTE,
  VARIANTS_WORD,
  WIDE_BYTE,
  WORD,
} from './record-layout.ts';

/** Numbers of the fields in contract order: their bounds follow each other. */
export const FIELD_NUMBER = Object.fromEntries(
  STORE_FIELDS.map((field, index) => [field, index]),
) as Record<StoreField, number>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What stands before the digits of the id: the first field opens the object. */
const ID_OPENING = '{"id":"'.length;

/**
 * Reads one record in place. Offsets it gives out count from the start of the chunk. One reader
 * is moved from record to record, so that a page of stores allocates nothing per store.
 */
export class RecordReader {
  chunk!: Chunk;
  locationCount = 0;
  private start = 0;
  private startWord = 0;
  private rentalPointsWord = 0;
  private replacementsWord = 0;
  /** Where the slots start, in slots from the start of the chunk. */
  private slotsStart = 0;
  private isWide = false;

  /** Moves to record number `index` of `chunk`. */
  moveTo(chunk: Chunk, index: number): void {
    const { bytes, halves } = chunk;
    const start = chunk.recordStart(index);
    this.chunk = chunk;
    this.start = start;
    this.startWord = start / WORD;
    this.locationCount = halves[(start + LOCATION_COUNT_BYTE) / 2] as number;
    this.isWide = bytes[start + WIDE_BYTE] === 1;
    this.slotsStart = this.word(SLOTS_WORD) / (this.isWide ? WORD : WORD / 2);
    this.replacementsWord = this.number(REPLACEMENTS_WORD) / WORD;
    this.rentalPointsWord = VARIANTS_WORD + (bytes[start + VARIANT_COUNT_BYTE] as number) + 1;
  }

  /** The fingerprint of all answers of the store, 16 hexadecimal digits. */
  fingerprint(): string {
    const at = this.start + FINGERPRINT_BYTE;
    return this.chunk.bytes.subarray(at, at + FINGERPRINT_BYTES).toHex();
  }

  /** The number in a slot: see frame-layout.ts. */
  slot(number: number): number {
    const { chunk, slotsStart } = this;
    return (this.isWide ? chunk.words : chunk.halves)[slotsStart + number] as number;
  }

  /** The variant that answers a request in `language` (null: without one); 0 is the base text. */
  variantFor(language: Language | null): number {
    const slot = language === null ? LANGUAGES.length : LANGUAGES.indexOf(language);
    return this.chunk.bytes[this.start + slot] as number;
  }

  /** Number of the first replacement of a variant; those of the next one follow. */
  firstReplacement(variant: number): number {
    return this.number(VARIANTS_WORD + variant);
  }

  /** Start of the value in the base text that a replacement takes the place of. */
  replacedStart(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement);
  }

  replacedEnd(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 1);
  }

  /** Start of the text that takes its place. */
  replacementStart(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 2);
  }

  replacementEnd(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 3);
  }

  /** Where the field of this number starts in the base text, and the one before it ends; 0 is its start. */
  bound(fieldNumber: number): number {
    return this.word(BOUNDS_WORD + fieldNumber);
  }

  /** Where the text of a field starts in the base text. */
  fieldStart(field: StoreField): number {
    return this.bound(FIELD_NUMBER[field]);
  }

  fieldEnd(field: StoreField): number {
    return this.bound(1 + FIELD_NUMBER[field]);
  }

  /** Where the main location's object ends in the base text. Only for displayed addresses. */
  mainEnd(): number {
    return this.word(MAIN_END_WORD);
  }

  /** Start of the object of rental point `location` (1…) in the base text. */
  rentalPointStart(location: number): number {
    return this.word(this.rentalPointWord(location));
  }

  rentalPointEnd(location: number): number {
    return this.word(this.rentalPointWord(location) + 1);
  }

  /** Start of the text of a field for rental point `location` (1…), where the one before it ends. */
  locationFieldStart(location: number, field: LocationField): number {
    return this.word(this.rentalPointWord(location) + 2 + LOCATION_FIELDS.indexOf(field));
  }

  locationFieldEnd(location: number, field: LocationField): number {
    return this.word(this.rentalPointWord(location) + 3 + LOCATION_FIELDS.indexOf(field));
  }

  /** First slot of the frame of addressComponents of rental point `location` (1…). */
  addressFrame(location: number): number {
    return this.number(this.rentalPointWord(location) + RENTAL_POINT_WORDS - 1);
  }

  /** The number (1…) of the rental point with this slug, or null. */
  findRentalPoint(slug: string): number | null {
    const wanted = encoder.encode(`,"rentalPointSlug":${JSON.stringify(slug)}`);
    for (let location = 1; location < this.locationCount; location++) {
      const start = this.locationFieldStart(location, 'rentalPointSlug');
      const end = this.locationFieldEnd(location, 'rentalPointSlug');
      if (this.holds(wanted, start, end)) return location;
    }
    return null;
  }

  /** The store's id, as it is written. */
  id(): string {
    const start = this.fieldStart('id') + ID_OPENING;
    return decoder.decode(this.chunk.bytes.subarray(start, start + ID_DIGITS));
  }

  /** Whether this is the store's slug. */
  hasSlug(slug: string): boolean {
    const wanted = encoder.encode(`,"slug":${JSON.stringify(slug)}`);
    return this.holds(wanted, this.fieldStart('slug'), this.fieldEnd('slug'));
  }

  private holds(wanted: Uint8Array, start: number, end: number): boolean {
    const { bytes } = this.chunk;
    if (end - start !== wanted.length) return false;
    return wanted.every((byte, index) => byte === bytes[start + index]);
  }

  private rentalPointWord(location: number): number {
    return this.rentalPointsWord + RENTAL_POINT_WORDS * (location - 1);
  }

  /** An offset of the header, from the start of the chunk. */
  private word(index: number): number {
    return this.start + this.number(index);
  }

  private number(index: number): number {
    return this.chunk.words[this.startWord + index] as number;
  }
}
