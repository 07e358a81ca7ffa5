/** One store as one answer shows it: its record in a language and for a location. */
import type { Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import type { Chunk } from '../snapshot/chunk.ts';
import {
  BASE_FRAMES,
  LOCATION_FIELDS,
  LOCATIONS_NODE,
  type LocationField,
  VARIANT_FIELDS,
  type VariantField,
} from '../snapshot/record-layout.ts';
import { RecordReader } from '../snapshot/record-reader.ts';
import type { Attribution } from './attribution.ts';
import { addNull, type CutPlace } from './field-cut.ts';
import type { SegmentList } from './segment-list.ts';

const GEO_OPENING = ',"geo":{"location":'.length;
const LOCATIONS_OPENING = ',"locations":'.length;
/** What stands before the value of a field, its name aside. */
const FIELD_OPENING = ',"":'.length;
const PAGE_URL_OPENING = ',"pageUrl":'.length;
const DECIMALS = 1000; // metres to the kilometre

const VARIANT_FIELD_SET: ReadonlySet<string> = new Set(VARIANT_FIELDS);
const OTHER_VARYING_FIELDS: readonly string[] = ['rentalPointSlug', 'geo', 'pageUrl', 'distance'];

/** Whether the text of a field may differ from the one in the base text. */
function varies(field: StoreField): boolean {
  return (
    VARIANT_FIELD_SET.has(field) || OTHER_VARYING_FIELDS.includes(field) || isLocationField(field)
  );
}

function isLocationField(field: StoreField): field is LocationField {
  return (LOCATION_FIELDS as readonly string[]).includes(field);
}

/** Neighbouring fields that an answer takes in one go: all constant, or a single varying one. */
const RUNS: readonly (readonly [first: StoreField, last: StoreField])[] = STORE_FIELDS.reduce<
  [StoreField, StoreField][]
>((runs, field) => {
  const run = runs.at(-1);
  if (run && !varies(run[1]) && !varies(field)) run[1] = field;
  else runs.push([field, field]);
  return runs;
}, []);

/** Moved from store to store, so that a page allocates nothing per store. */
export class StoreView {
  readonly record = new RecordReader();
  private readonly language: Language | null;
  private readonly attribution: Attribution | null;
  private variant = 0;
  private location = 0;
  private distance: number | null = null;
  /** Given out by `placeOf`, and good until the next call of it. */
  private readonly place: CutPlace = { origin: 0, frame: 0, start: 0 };

  constructor(language: Language | null, attribution: Attribution | null) {
    this.language = language;
    this.attribution = attribution;
  }

  /**
   * Moves to record number `index` of `chunk`.
   * @param location number of the queried location, 0 is the main one
   * @param distance in km, null without a position
   */
  moveTo(chunk: Chunk, index: number, location: number, distance: number | null): void {
    this.record.moveTo(chunk, index);
    this.variant = this.record.variantFor(this.language);
    this.location = location;
    this.distance = distance;
  }

  /** Appends the whole store. */
  addWhole(segments: SegmentList): void {
    const { record } = this;
    const { bytes } = record.chunk;
    if (this.variant === 0 && this.location === 0 && !this.attribution) {
      segments.add(bytes, record.baseStart(), record.fieldEnd('pageUrl'));
      this.addField(segments, 'distance');
      segments.add(bytes, record.fieldEnd('distance'), record.baseEnd());
      return;
    }
    for (const [first, last] of RUNS) {
      if (first === last) this.addField(segments, first);
      else segments.add(bytes, record.fieldStart(first), record.fieldEnd(last));
    }
    segments.add(bytes, record.baseEnd() - 1, record.baseEnd());
  }

  /** Whether the store has this top-level field in this answer. */
  has(field: StoreField): boolean {
    if (field === 'distance') return this.distance !== null;
    return field !== 'rentalPointSlug' || this.location > 0;
  }

  /**
   * Appends the text of a field, `"key":value` with the character before it, or nothing when the
   * store does not have it.
   * @param skip 1 to leave out the character before it
   */
  addField(segments: SegmentList, field: StoreField, skip: 0 | 1 = 0): void {
    const { record, variant } = this;
    const { bytes } = record.chunk;
    if (VARIANT_FIELD_SET.has(field)) {
      const start = record.variantFieldStart(variant, field as VariantField);
      segments.add(bytes, start + skip, record.variantFieldEnd(variant, field as VariantField));
    } else if (field === 'geo' && record.locationCount > 0) this.addGeo(segments, skip);
    else if (field === 'distance') this.addDistance(segments, skip);
    else if (field === 'pageUrl' && this.attribution) {
      this.addPageUrl(segments, this.attribution, skip);
    } else if (this.location > 0 && field === 'rentalPointSlug') {
      segments.add(bytes, record.slugStart(this.location) + skip, record.slugEnd(this.location));
    } else if (this.location > 0 && isLocationField(field)) {
      const start = record.locationFieldStart(this.location, field);
      segments.add(bytes, start + skip, record.locationFieldEnd(this.location, field));
    } else if (this.has(field)) {
      segments.add(bytes, record.fieldStart(field) + skip, record.fieldEnd(field));
    }
  }

  /** Whether the store hides its address: it has no locations then. */
  get isHidden(): boolean {
    return this.record.locationCount === 0;
  }

  /** Where the object of a field lies that is one, with its frame. Not for the geo of hidden stores. */
  placeOf(field: StoreField): CutPlace {
    const { record, variant, location, place } = this;
    if (VARIANT_FIELD_SET.has(field)) {
      place.origin = record.variantFieldStart(variant, field as VariantField);
      place.frame = record.variantFieldFrame(variant, field as VariantField);
    } else if (field === 'geo') {
      place.origin = record.geoStart(variant);
      place.frame = record.geoFrame(variant);
    } else if (location > 0 && isLocationField(field)) {
      place.origin = record.locationFieldStart(location, field);
      place.frame = record.addressFrame(location);
    } else {
      place.origin = record.fieldStart(field);
      place.frame = BASE_FRAMES.get(field) as number;
    }
    place.start = place.origin + field.length + FIELD_OPENING;
    return place;
  }

  /** Where the object of the queried location lies. Not for hidden stores. */
  placeOfLocation(): CutPlace {
    const { record, variant, location } = this;
    const place = this.placeOf('geo');
    if (location === 0) {
      // The values of the main location come first in the frame of the geo field.
      place.start = place.origin + GEO_OPENING;
      return place;
    }
    place.start = record.rentalPointStart(variant, location);
    const first = record.slot(place.frame + LOCATIONS_NODE.endSlot + 2);
    place.frame = first + (location - 1) * LOCATIONS_NODE.elementSlots;
    return place;
  }

  /** Appends the object of the queried location, or null. */
  addQueriedLocation(segments: SegmentList): void {
    const { record, variant, location } = this;
    if (this.isHidden) addNull(segments);
    else if (location === 0) {
      const start = record.geoStart(variant) + GEO_OPENING;
      segments.add(record.chunk.bytes, start, record.geoMainEnd(variant));
    } else {
      const start = record.rentalPointStart(variant, location);
      segments.add(record.chunk.bytes, start, record.rentalPointEnd(variant, location));
    }
  }

  /** Appends the array of rental points, or null. */
  addLocations(segments: SegmentList): void {
    const { record, variant } = this;
    if (this.isHidden) addNull(segments);
    else {
      const start = record.geoMainEnd(variant) + LOCATIONS_OPENING;
      segments.add(record.chunk.bytes, start, record.geoEnd(variant) - '}'.length);
    }
  }

  /** The geo text with the queried rental point in the place of the main location. */
  private addGeo(segments: SegmentList, skip: 0 | 1): void {
    const { record, variant, location } = this;
    const { bytes } = record.chunk;
    const start = record.geoStart(variant);
    if (location === 0) {
      segments.add(bytes, start + skip, record.geoEnd(variant));
      return;
    }
    segments.add(bytes, start + skip, start + GEO_OPENING);
    const pointStart = record.rentalPointStart(variant, location);
    segments.add(bytes, pointStart, record.rentalPointEnd(variant, location));
    segments.add(bytes, record.geoMainEnd(variant), record.geoEnd(variant));
  }

  private addDistance(segments: SegmentList, skip: 0 | 1): void {
    if (this.distance === null) return;
    const kilometres = Math.round(this.distance * DECIMALS) / DECIMALS;
    segments.addAscii(`${skip ? '' : ','}"distance":${kilometres}`);
  }

  private addPageUrl(segments: SegmentList, attribution: Attribution, skip: 0 | 1): void {
    const { record } = this;
    const { bytes } = record.chunk;
    const start = record.fieldStart('pageUrl');
    segments.add(bytes, start + skip, start + PAGE_URL_OPENING);
    attribution.addTo(segments, bytes, start + PAGE_URL_OPENING, record.fieldEnd('pageUrl'));
  }
}
