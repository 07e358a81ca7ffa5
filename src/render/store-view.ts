/** One store as one answer shows it: its record in a language and for a location. */
import type { Language } from '../model/enumerations.ts';
import {
  isRequested,
  type RequestedValues,
  STORE_FIELDS,
  type StoreField,
} from '../model/store.ts';
import type { Chunk } from '../snapshot/chunks.ts';
import { LOCATION_FIELDS, type LocationField, RecordReader } from '../snapshot/record.ts';
import type { AnswerBuffer } from './answer-buffer.ts';
import type { AddUrl } from './attribution.ts';

const GEO_OPENING = ',"geo":{"location":'.length;
const PAGE_URL_OPENING = ',"pageUrl":'.length;

/** Fields whose text may differ from the base text, in contract order. */
export const VARYING_FIELDS: readonly StoreField[] = STORE_FIELDS.filter(
  (field) => isLocationField(field) || isRequested(field) || field === 'geo' || field === 'pageUrl',
);

/** Moved from store to store, so that a page allocates nothing per store. */
export class StoreView {
  readonly record = new RecordReader();
  /** The body that the store is appended to. */
  readonly buffer: AnswerBuffer;
  private readonly language: Language | null;
  private readonly attribution: AddUrl | null;
  /** The replacements of the variant: the first, and the one after the last. */
  private first = 0;
  private last = 0;
  /** A range of the record in which nothing is replaced: the one where the last text ended. */
  private gapStart = 0;
  private gapEnd = 0;
  /** Index of the queried location; 0 is the main one. */
  location = 0;
  /** Fields that the request adds to the store. */
  private added: RequestedValues = {};

  constructor(buffer: AnswerBuffer, language: Language | null, attribution: AddUrl | null) {
    this.buffer = buffer;
    this.language = language;
    this.attribution = attribution;
  }

  /**
   * Moves to a record.
   * @param index of the record in `chunk`
   * @param location index of the queried location
   * @param added fields that the request adds to the store
   */
  moveTo(chunk: Chunk, index: number, location: number, added: RequestedValues): void {
    const { record } = this;
    record.moveTo(chunk, index);
    const variant = record.variantFor(this.language);
    // The base text is variant 0 and replaces nothing.
    this.first = variant === 0 ? 0 : record.firstReplacement(variant);
    this.last = variant === 0 ? 0 : record.firstReplacement(variant + 1);
    this.gapStart = 0;
    this.gapEnd = this.first === this.last ? Infinity : record.replacedStart(this.first);
    this.location = location;
    this.added = added;
  }

  /** Appends the whole store: the base text, but for fields that differ in this answer. */
  addWhole(): void {
    const { record } = this;
    let at = record.bound(0);
    for (const field of VARYING_FIELDS) {
      if (!this.differs(field)) continue;
      // With the comma before the field or, where the base text lacks it, before the one after it.
      this.addText(at, record.fieldStart(field) + 1);
      this.addField(field);
      at = record.fieldEnd(field);
    }
    // The brace that closes the store comes after the last field.
    this.addText(at, record.bound(STORE_FIELDS.length) + 1);
  }

  /** Returns whether the text of a field differs from the base text. @param field a varying one */
  private differs(field: StoreField): boolean {
    if (isRequested(field)) return this.added[field] !== undefined;
    return field === 'pageUrl' ? this.attribution !== null : this.location > 0;
  }

  /** Returns whether the store has this top-level field in this answer. */
  has(field: StoreField): boolean {
    return (!isRequested(field) && field !== 'rentalPointSlug') || this.differs(field);
  }

  /**
   * Appends the text of a field, `"key":value` without the character before it, or nothing when the
   * store does not have it.
   */
  addField(field: StoreField): void {
    const { record, location } = this;
    if (isRequested(field)) this.addRequested(field);
    else if (field === 'pageUrl' && this.attribution) this.addPageUrl(this.attribution);
    else if (location > 0 && field === 'geo') this.addGeo();
    else if (location > 0 && isLocationField(field)) {
      const start = record.locationFieldStart(location, field) + 1;
      this.buffer.add(record.chunk.bytes, start, record.locationFieldEnd(location, field));
    } else if (this.has(field)) {
      this.addText(record.fieldStart(field) + 1, record.fieldEnd(field));
    }
  }

  /** Appends text of the record with the values of the variant. */
  addText(start: number, end: number): void {
    if (start >= this.gapStart && end <= this.gapEnd) {
      this.buffer.add(this.record.chunk.bytes, start, end);
    } else this.addReplaced(start, end);
  }

  /** Appends text with its replacements, and notes the gap between them in which it ends. */
  private addReplaced(start: number, end: number): void {
    const { record, first, last } = this;
    const { bytes } = record.chunk;
    let at = start;
    let next = first;
    while (next < last && record.replacedEnd(next) <= start) next++;
    while (next < last && record.replacedStart(next) < end) {
      this.buffer.add(bytes, at, record.replacedStart(next));
      this.buffer.add(bytes, record.replacementStart(next), record.replacementEnd(next));
      at = record.replacedEnd(next);
      next++;
    }
    this.buffer.add(bytes, at, end);
    this.gapStart = next === first ? 0 : record.replacedEnd(next - 1);
    this.gapEnd = next === last ? Infinity : record.replacedStart(next);
  }

  /** Appends `geo` with the queried rental point in the place of the main location. */
  private addGeo(): void {
    const { record, location } = this;
    const start = record.fieldStart('geo');
    this.buffer.add(record.chunk.bytes, start + 1, start + GEO_OPENING);
    this.addText(record.rentalPointStart(location), record.rentalPointEnd(location));
    this.addText(record.mainEnd(), record.fieldEnd('geo'));
  }

  /**
   * Appends a field that the request adds, or nothing when it does not.
   * @param keys of an object, in contract order; without them all
   */
  addRequested(field: keyof RequestedValues, keys?: string[]): void {
    const value = this.added[field];
    if (value !== undefined) this.buffer.addAscii(`"${field}":${JSON.stringify(value, keys)}`);
  }

  private addPageUrl(addUrl: AddUrl): void {
    const { record } = this;
    const { bytes } = record.chunk;
    const start = record.fieldStart('pageUrl');
    this.buffer.add(bytes, start + 1, start + PAGE_URL_OPENING);
    addUrl(this.buffer, bytes, start + PAGE_URL_OPENING, record.fieldEnd('pageUrl'));
  }
}

function isLocationField(field: StoreField): field is LocationField {
  return (LOCATION_FIELDS as readonly StoreField[]).includes(field);
}
