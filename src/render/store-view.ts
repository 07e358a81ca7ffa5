/** One store as one answer shows it: its record in a language and for a location. */
import type { Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import type { Chunk } from '../snapshot/chunks.ts';
import {
  BASE_FRAMES,
  LOCATION_FIELDS,
  LOCATIONS_NODE,
  type LocationField,
} from '../snapshot/record-layout.ts';
import { FIELD_NUMBER, RecordReader } from '../snapshot/record-reader.ts';
import type { AddUrl } from './attribution.ts';
import type { SegmentList } from './segment-list.ts';

const GEO_OPENING = ',"geo":{"location":'.length;
const LOCATIONS_OPENING = ',"locations":'.length;
/** What stands before the value of a field, its name aside. */
const FIELD_OPENING = ',"":'.length;
const PAGE_URL_OPENING = ',"pageUrl":'.length;
const METRES_PER_KILOMETRE = 1000;

/** Where the object of a top-level field lies: the same for every store. */
interface ObjectField {
  readonly number: number;
  /** First slot of its frame. */
  readonly frame: number;
  /** Bytes before the object in the text of the field. */
  readonly opening: number;
}

/** Where an object lies in a text, to cut values out of it. */
export interface CutOrigin {
  /** Start of the field's text, from which slots count, in bytes from the start of the chunk. */
  origin: number;
  /** First slot of the object's frame. */
  frame: number;
  /** Where the object starts, in bytes from the start of the chunk. */
  start: number;
}

/**
 * Returns where the object of a field lies in any store.
 * @param field one that `BASE_FRAMES` has
 */
export function objectField(field: StoreField): ObjectField {
  const frame = BASE_FRAMES.get(field) as number;
  return { number: FIELD_NUMBER[field], frame, opening: field.length + FIELD_OPENING };
}

const GEO = objectField('geo');
const ADDRESS = objectField('addressComponents');

const LOCATION_FIELD_SET: ReadonlySet<string> = new Set(LOCATION_FIELDS);

/** Fields whose text may differ from the base text, in contract order. */
export const VARYING_FIELDS = STORE_FIELDS.filter(
  (field) => isLocationField(field) || ['geo', 'pageUrl', 'distance'].includes(field),
);

/** Moved from store to store, so that a page allocates nothing per store. */
export class StoreView {
  readonly record = new RecordReader();
  /** The body that the store is appended to. */
  readonly segments: SegmentList;
  private readonly language: Language | null;
  private readonly attribution: AddUrl | null;
  /** The replacements of the variant: the first, and the one after the last. */
  private first = 0;
  private last = 0;
  /** A range of the record in which nothing is replaced: the one where the last text ended. */
  private gapStart = 0;
  private gapEnd = 0;
  private location = 0;
  private distance: number | null = null;
  /** Given out by `originOf`, and good until the next call of it. */
  private readonly cutOrigin: CutOrigin = { origin: 0, frame: 0, start: 0 };

  constructor(segments: SegmentList, language: Language | null, attribution: AddUrl | null) {
    this.segments = segments;
    this.language = language;
    this.attribution = attribution;
  }

  /**
   * Moves to a record.
   * @param index of the record in `chunk`
   * @param location index of the queried location, 0 is the main one
   * @param distance in km, null without a position
   */
  moveTo(chunk: Chunk, index: number, location: number, distance: number | null): void {
    const { record } = this;
    record.moveTo(chunk, index);
    const variant = record.variantFor(this.language);
    // The base text is variant 0 and replaces nothing.
    this.first = variant === 0 ? 0 : record.firstReplacement(variant);
    this.last = variant === 0 ? 0 : record.firstReplacement(variant + 1);
    this.gapStart = 0;
    this.gapEnd = this.first === this.last ? Infinity : record.replacedStart(this.first);
    this.location = location;
    this.distance = distance;
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
    if (field === 'distance') return this.distance !== null;
    return field === 'pageUrl' ? this.attribution !== null : this.location > 0;
  }

  /** Returns whether the store has this top-level field in this answer. */
  has(field: StoreField): boolean {
    return (field !== 'distance' && field !== 'rentalPointSlug') || this.differs(field);
  }

  /**
   * Appends the text of a field, `"key":value` without the character before it, or nothing when the
   * store does not have it.
   */
  addField(field: StoreField): void {
    const { record, location } = this;
    if (field === 'distance') this.addDistance();
    else if (field === 'pageUrl' && this.attribution) this.addPageUrl(this.attribution);
    else if (location > 0 && field === 'geo') this.addGeo();
    else if (location > 0 && isLocationField(field)) {
      const start = record.locationFieldStart(location, field) + 1;
      this.segments.add(record.chunk.bytes, start, record.locationFieldEnd(location, field));
    } else if (this.has(field)) {
      this.addText(record.fieldStart(field) + 1, record.fieldEnd(field));
    }
  }

  /** Appends text of the record, its values replaced by those of the variant. */
  addText(start: number, end: number): void {
    if (start >= this.gapStart && end <= this.gapEnd) {
      this.segments.add(this.record.chunk.bytes, start, end);
    } else this.addReplaced(start, end);
  }

  /** Appends `before`, then text of the record as `addText` does. */
  addTextAfter(before: Uint8Array, start: number, end: number): void {
    if (start >= this.gapStart && end <= this.gapEnd) {
      this.segments.addAfter(before, this.record.chunk.bytes, start, end);
      return;
    }
    this.segments.addBytes(before);
    this.addReplaced(start, end);
  }

  /** Appends text with its replacements, and notes the gap between them in which it ends. */
  private addReplaced(start: number, end: number): void {
    const { record, first, last } = this;
    const { bytes } = record.chunk;
    let at = start;
    let next = first;
    while (next < last && record.replacedEnd(next) <= start) next++;
    while (next < last && record.replacedStart(next) < end) {
      this.segments.add(bytes, at, record.replacedStart(next));
      this.segments.add(bytes, record.replacementStart(next), record.replacementEnd(next));
      at = record.replacedEnd(next);
      next++;
    }
    this.segments.add(bytes, at, end);
    this.gapStart = next === first ? 0 : record.replacedEnd(next - 1);
    this.gapEnd = next === last ? Infinity : record.replacedStart(next);
  }

  /** Whether the store hides its address: it has no locations then. */
  get isHidden(): boolean {
    return this.record.locationCount === 0;
  }

  /** Returns where the object of a field lies in the base text. */
  originOf({ number, frame, opening }: ObjectField): CutOrigin {
    const cut = this.cutOrigin;
    cut.origin = this.record.bound(number);
    cut.frame = frame;
    cut.start = cut.origin + opening;
    return cut;
  }

  /**
   * Returns where the object of the deprecated `addressComponents` lies, which mirror the queried
   * location.
   */
  originOfAddress(): CutOrigin {
    const { record, location, cutOrigin: cut } = this;
    if (location === 0) return this.originOf(ADDRESS);
    cut.origin = record.locationFieldStart(location, 'addressComponents');
    cut.frame = record.addressFrame(location);
    cut.start = cut.origin + ADDRESS.opening;
    return cut;
  }

  /** Returns where the object of the queried location lies. Not for hidden stores. */
  originOfLocation(): CutOrigin {
    const { record, location } = this;
    const cut = this.originOf(GEO);
    if (location === 0) {
      // The values of the main location come first in the frame of the geo field.
      cut.start = cut.origin + GEO_OPENING;
      return cut;
    }
    cut.start = record.rentalPointStart(location);
    const first = record.slot(cut.frame + LOCATIONS_NODE.endSlot + 2);
    cut.frame = first + (location - 1) * LOCATIONS_NODE.elementSlots;
    return cut;
  }

  /** Appends the object of the queried location, or null. */
  addQueriedLocation(): void {
    const { record, location } = this;
    if (this.isHidden) this.segments.addAscii('null');
    else if (location === 0) {
      this.addText(record.fieldStart('geo') + GEO_OPENING, record.mainEnd());
    } else {
      this.addText(record.rentalPointStart(location), record.rentalPointEnd(location));
    }
  }

  /** Appends the array of rental points, or null. */
  addLocations(): void {
    const { record } = this;
    if (this.isHidden) this.segments.addAscii('null');
    else {
      const start = record.mainEnd() + LOCATIONS_OPENING;
      this.addText(start, record.fieldEnd('geo') - '}'.length);
    }
  }

  /** Appends `geo` with the queried rental point in the place of the main location. */
  private addGeo(): void {
    const { record } = this;
    const start = record.fieldStart('geo');
    this.segments.add(record.chunk.bytes, start + 1, start + GEO_OPENING);
    this.addQueriedLocation();
    this.addText(record.mainEnd(), record.fieldEnd('geo'));
  }

  private addDistance(): void {
    if (this.distance === null) return;
    const metres = Math.round(this.distance * METRES_PER_KILOMETRE);
    const kilometres = metres / METRES_PER_KILOMETRE;
    this.segments.addAscii(`"distance":${kilometres}`);
  }

  private addPageUrl(addUrl: AddUrl): void {
    const { record } = this;
    const { bytes } = record.chunk;
    const start = record.fieldStart('pageUrl');
    this.segments.add(bytes, start + 1, start + PAGE_URL_OPENING);
    addUrl(this.segments, bytes, start + PAGE_URL_OPENING, record.fieldEnd('pageUrl'));
  }
}

function isLocationField(field: StoreField): field is LocationField {
  return LOCATION_FIELD_SET.has(field);
}
