/** One store as one answer shows it: its record in a language and for a location. */
import type { Language } from '../model/enumerations.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import { LOCATION_FIELDS, VARIANT_FIELDS, type VariantField } from '../snapshot/record-layout.ts';
import { type Chunk, RecordReader } from '../snapshot/record-reader.ts';
import type { Attribution } from './attribution.ts';
import type { SegmentList } from './segment-list.ts';

const GEO_OPENING = ',"geo":{"location":'.length;
const PAGE_URL_OPENING = ',"pageUrl":'.length;
const DECIMALS = 1000; // metres to the kilometre

const VARIANT_FIELD_SET: ReadonlySet<string> = new Set(VARIANT_FIELDS);
const OTHER_VARYING_FIELDS: readonly string[] = ['rentalPointSlug', 'geo', 'pageUrl', 'distance'];

/** Whether the text of a field may differ from the one in the base text. */
function varies(field: StoreField): boolean {
  return (
    VARIANT_FIELD_SET.has(field) ||
    OTHER_VARYING_FIELDS.includes(field) ||
    (LOCATION_FIELDS as readonly string[]).includes(field)
  );
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
  private readonly record = new RecordReader();
  private readonly language: Language | null;
  private readonly attribution: Attribution | null;
  private variant = 0;
  private location = 0;
  private distance: number | null = null;

  constructor(language: Language | null, attribution: Attribution | null) {
    this.language = language;
    this.attribution = attribution;
  }

  /**
   * Moves to the record at `offset` of `chunk`.
   * @param location number of the queried location, 0 is the main one
   * @param distance in km, null without a position
   */
  moveTo(chunk: Chunk, offset: number, location: number, distance: number | null): void {
    this.record.moveTo(chunk, offset);
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
    } else if (this.location > 0 && (LOCATION_FIELDS as readonly string[]).includes(field)) {
      this.addLocationField(segments, field, skip);
    } else if (this.has(field)) {
      segments.add(bytes, record.fieldStart(field) + skip, record.fieldEnd(field));
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

  private addLocationField(segments: SegmentList, field: StoreField, skip: 0 | 1): void {
    const { record, location } = this;
    const index = (LOCATION_FIELDS as readonly string[]).indexOf(field);
    const start =
      index === 0 ? record.slugEnd(location) : record.locationFieldEnd(location, index - 1);
    segments.add(record.chunk.bytes, start + skip, record.locationFieldEnd(location, index));
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
