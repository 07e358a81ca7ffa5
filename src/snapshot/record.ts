/**
 * A record: one store's answers in every language and for every location, as ready JSON text.
 *
 * The *base text* is the whole answer in the store's default language for the main location. Other
 * answers are the base text with some of its values replaced. A *variant* is one language really
 * used, with a list of *replacements*: descriptions, labels, names. A *location* is 0 for the main
 * one, 1… for the rental points.
 *
 *     offset  size    what
 *     0       N+1     variant for a request in each of the N languages, and without one
 *     …       1       number of variants, V
 *     …       2       number of locations, L; 0 when the address is hidden; starts on a multiple of 2
 *     …       2       1 if slots are u32 because a text is long, 0 if they are u16
 *     …       4       where the slots start; on a multiple of 4 (16 with eight languages), gaps zero
 *     …       4       where the replacements start
 *     …       8       fingerprint: the first 8 bytes of the SHA-256 of all answers of the store
 *                     (`scripts/compile/compile-record.ts`)
 *     …       4·(F+1) bounds of the base text: start, then the end of each of the F fields
 *     …       4       end of the main location in the base text
 *     …       4·(V+1) number of the first replacement of each variant, and of all of them
 *     …       4·9·(L−1)  rental points: start and end of its object in the base text; start of
 *                     rentalPointSlug, then its end and the ends of lat, lng, address,
 *                     addressComponents; frame of addressComponents
 *     …       4·4·R   replacements, each variant's in the order of the base text: start and end of
 *                     the value in the base text, start and end of the text in its place
 *     …               slots, padded to a multiple of 4 (see frame-layout.ts): first the frames of
 *                     the fields of the base text, then the frames of array elements and rental points
 *     …               the texts, UTF-8
 *
 * Numbers are little-endian; offsets count bytes from the start of the record, which lies on a
 * multiple of 4 in its chunk; frames are numbers of slots. The text of a field is `"key":value` with
 * the `{` or `,` before it; the base text ends with `}` after its last field. A field that the base
 * text lacks is empty. When L is 0, locations are null in every answer.
 */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import type { Chunk } from './chunks.ts';
import { FINGERPRINT_BYTES } from './compared-stores.ts';
import { childNode, FIELD_FRAMES, type FrameLayout } from './frame-layout.ts';
import { ID_DIGITS } from './id-table.ts';

/** Bytes of a word; headers are made of words. */
export const WORD = Uint32Array.BYTES_PER_ELEMENT;
const HALF_WORD = Uint16Array.BYTES_PER_ELEMENT;

/** Most locations of a store: their number takes half a word, here and in the part `places`. */
export const MAX_LOCATIONS = 0xffff;

/** The number of a variant takes a byte. */
const MAX_LANGUAGES = 0xff;
if (LANGUAGES.length > MAX_LANGUAGES) {
  throw new Error(`LANGUAGES has ${LANGUAGES.length}: records hold at most ${MAX_LANGUAGES}`);
}

const roundUp = (bytes: number, step: number): number => Math.ceil(bytes / step) * step;

export const VARIANT_COUNT_BYTE = LANGUAGES.length + 1;
export const LOCATION_COUNT_BYTE = roundUp(VARIANT_COUNT_BYTE + 1, HALF_WORD);
export const WIDE_BYTE = LOCATION_COUNT_BYTE + HALF_WORD;
export const SLOTS_WORD = roundUp(WIDE_BYTE + HALF_WORD, WORD) / WORD;
export const REPLACEMENTS_WORD = SLOTS_WORD + 1;
export const FINGERPRINT_BYTE = (REPLACEMENTS_WORD + 1) * WORD;
export const BOUNDS_WORD = (FINGERPRINT_BYTE + FINGERPRINT_BYTES) / WORD;
const MAIN_END_WORD = BOUNDS_WORD + 1 + STORE_FIELDS.length;
export const VARIANTS_WORD = MAIN_END_WORD + 1;

/** Fields that depend on the location alone. Their texts follow each other for each rental point. */
export const LOCATION_FIELDS = [
  'rentalPointSlug',
  'lat',
  'lng',
  'address',
  'addressComponents',
] as const;

export type LocationField = (typeof LOCATION_FIELDS)[number];

/** Words of a rental point. */
export const RENTAL_POINT_WORDS = 2 + 1 + LOCATION_FIELDS.length + 1;
export const REPLACEMENT_WORDS = 4;

/** The slot at which the frame of each field of the base text starts. */
export const BASE_FRAMES = new Map<StoreField, number>();
let slots = 0;
for (const field of STORE_FIELDS) {
  const layout = FIELD_FRAMES[field];
  if (!layout) continue;
  BASE_FRAMES.set(field, slots);
  slots += layout.slots;
}

/** Slots of all these frames. */
export const BASE_SLOTS = slots;

const geoNodes = (FIELD_FRAMES.geo as FrameLayout).nodes;

/** The main location inside the geo field: its slots come first in the frame of the field. */
export const LOCATION_NODE = childNode(geoNodes, 'location');

/** The rental points inside the geo field; each has the frame of a location. */
export const LOCATIONS_NODE = childNode(geoNodes, 'locations');

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
    const { bytes, halves, words } = chunk;
    const start = words[1 + index] as number;
    this.chunk = chunk;
    this.start = start;
    this.startWord = start / WORD;
    this.locationCount = halves[(start + LOCATION_COUNT_BYTE) / 2] as number;
    this.isWide = bytes[start + WIDE_BYTE] === 1;
    this.slotsStart = this.word(SLOTS_WORD) / (this.isWide ? WORD : WORD / 2);
    this.replacementsWord = this.number(REPLACEMENTS_WORD) / WORD;
    this.rentalPointsWord = VARIANTS_WORD + (bytes[start + VARIANT_COUNT_BYTE] as number) + 1;
  }

  /** Returns the fingerprint of all answers of the store, 16 hexadecimal digits. */
  fingerprint(): string {
    const at = this.start + FINGERPRINT_BYTE;
    return this.chunk.bytes.subarray(at, at + FINGERPRINT_BYTES).toHex();
  }

  /** Returns the number in a slot: see frame-layout.ts. */
  slot(number: number): number {
    const { chunk, slotsStart } = this;
    return (this.isWide ? chunk.words : chunk.halves)[slotsStart + number] as number;
  }

  /** Returns the variant that answers a request in `language` (null: without one); 0 is the base text. */
  variantFor(language: Language | null): number {
    const slot = language === null ? LANGUAGES.length : LANGUAGES.indexOf(language);
    return this.chunk.bytes[this.start + slot] as number;
  }

  /** Returns the index of the first replacement of a variant; the next variant's follow. */
  firstReplacement(variant: number): number {
    return this.number(VARIANTS_WORD + variant);
  }

  /** Returns where the value starts in the base text that a replacement replaces. */
  replacedStart(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement);
  }

  replacedEnd(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 1);
  }

  /** Returns where the replacing text starts. */
  replacementStart(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 2);
  }

  replacementEnd(replacement: number): number {
    return this.word(this.replacementsWord + REPLACEMENT_WORDS * replacement + 3);
  }

  /** Returns where the field with this index starts in the base text, and the one before it ends. */
  bound(fieldNumber: number): number {
    return this.word(BOUNDS_WORD + fieldNumber);
  }

  /** Returns where the text of a field starts in the base text. */
  fieldStart(field: StoreField): number {
    return this.bound(FIELD_NUMBER[field]);
  }

  fieldEnd(field: StoreField): number {
    return this.bound(1 + FIELD_NUMBER[field]);
  }

  /** Returns where the main location's object ends in the base text. Only for displayed addresses. */
  mainEnd(): number {
    return this.word(MAIN_END_WORD);
  }

  /** Returns where the object of rental point `location` (1…) starts in the base text. */
  rentalPointStart(location: number): number {
    return this.word(this.rentalPointWord(location));
  }

  rentalPointEnd(location: number): number {
    return this.word(this.rentalPointWord(location) + 1);
  }

  /** Returns where a field of rental point `location` (1…) starts, and the one before it ends. */
  locationFieldStart(location: number, field: LocationField): number {
    return this.word(this.rentalPointWord(location) + 2 + LOCATION_FIELDS.indexOf(field));
  }

  locationFieldEnd(location: number, field: LocationField): number {
    return this.word(this.rentalPointWord(location) + 3 + LOCATION_FIELDS.indexOf(field));
  }

  /** Returns the first slot of the frame of addressComponents of rental point `location` (1…). */
  addressFrame(location: number): number {
    return this.number(this.rentalPointWord(location) + RENTAL_POINT_WORDS - 1);
  }

  /** Returns the index (1…) of the rental point with this slug, or null. */
  findRentalPoint(slug: string): number | null {
    const wanted = encoder.encode(`,"rentalPointSlug":${JSON.stringify(slug)}`);
    for (let location = 1; location < this.locationCount; location++) {
      const start = this.locationFieldStart(location, 'rentalPointSlug');
      const end = this.locationFieldEnd(location, 'rentalPointSlug');
      if (this.holds(wanted, start, end)) return location;
    }
    return null;
  }

  /** Returns the store's id, as the export writes it. */
  id(): string {
    const start = this.fieldStart('id') + ID_OPENING;
    return decoder.decode(this.chunk.bytes.subarray(start, start + ID_DIGITS));
  }

  /** Returns whether this is the store's slug. */
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

  /** Returns an offset of the header, from the start of the chunk. */
  private word(index: number): number {
    return this.start + this.number(index);
  }

  private number(index: number): number {
    return this.chunk.words[this.startWord + index] as number;
  }
}
