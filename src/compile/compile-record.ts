/** Turns one source store into the bytes of its record (see `snapshot/record-layout.ts`). */
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { chooseLanguage } from '../model/language-choice.ts';
import type { SourceLocation, SourceStore } from '../model/source-store.ts';
import { STORE_FIELDS } from '../model/store.ts';
import { LOCATION_FIELDS, VARIANT_FIELDS, type VariantField } from '../snapshot/record-layout.ts';
import { type Range, type RecordParts, writeRecord } from '../snapshot/record-writer.ts';
import {
  languageFields,
  type MirrorFields,
  mirrorFields,
  neutralFields,
  responseLocation,
} from './derive-store.ts';
import { RecordText } from './record-text.ts';

type GeoRanges = RecordParts['geos'][number];
type FieldTexts = Partial<Record<(typeof STORE_FIELDS)[number], string>>;

const HIDDEN_GEO = '{"location":null,"locations":null}';

const text = new RecordText();

/** The record of `source`; a multiple of 4 bytes long. */
export function compileRecord(source: SourceStore): Uint8Array {
  text.clear();
  const answers = [...LANGUAGES, null].map((requested) => chooseLanguage(source, requested));
  // The default variant comes first: it is the one of the base text.
  const currents = [...new Set([chooseLanguage(source, null), ...answers])];
  const base = currents[0] as Language;
  const baseTexts = variantTexts(source, base);
  const baseGeo = new GeoText(source, base);
  const bounds = appendBase(source, baseTexts, baseGeo);
  const geoField = STORE_FIELDS.indexOf('geo');
  const geos = new GeoVariants(baseGeo, bounds[geoField] as number);
  const variants = currents.map((current, index) => ({
    fields: index === 0 ? baseRanges(bounds) : appendVariant(source, current, baseTexts, bounds),
    geo: index === 0 ? 0 : geos.number(new GeoText(source, current)),
  }));
  return writeRecord({
    variantOfLanguage: answers.map((current) => currents.indexOf(current)),
    bounds,
    variants,
    geos: source.geo.displayAddress ? geos.ranges : [],
    rentalPoints: displayedRentalPoints(source).map(appendRentalPoint),
    displayed: source.geo.displayAddress,
    text: text.bytes(),
  });
}

/** Rental points that answers may show: none when the address is hidden. */
export function displayedRentalPoints(source: SourceStore): readonly SourceLocation[] {
  return source.geo.displayAddress ? source.geo.rentalPoints : [];
}

function variantTexts(source: SourceStore, current: Language): Record<VariantField, string> {
  const fields = languageFields(source, current);
  return Object.fromEntries(
    VARIANT_FIELDS.map((field) => [field, JSON.stringify(fields[field])]),
  ) as Record<VariantField, string>;
}

/** Appends the base text; returns its start and the end of each field. */
function appendBase(
  source: SourceStore,
  variant: Record<VariantField, string>,
  geo: GeoText,
): number[] {
  const mirror = mirrorFields(source.geo.displayAddress ? source.geo.main : null);
  const texts: FieldTexts = { ...variant, geo: geo.json };
  for (const [field, value] of Object.entries({ ...neutralFields(source), ...mirror })) {
    texts[field as keyof FieldTexts] = JSON.stringify(value);
  }
  const bounds = [text.end];
  for (const field of STORE_FIELDS) {
    const value = texts[field];
    if (value !== undefined) text.append(fieldText(field, value));
    bounds.push(text.end);
  }
  text.append('}');
  return bounds;
}

/** The text of a field with the character before it; the first field opens the object. */
function fieldText(field: string, value: string): string {
  return `${field === STORE_FIELDS[0] ? '{' : ','}"${field}":${value}`;
}

function baseRanges(bounds: readonly number[]): Record<VariantField, Range> {
  return Object.fromEntries(
    VARIANT_FIELDS.map((field) => {
      const number = STORE_FIELDS.indexOf(field);
      return [field, [bounds[number], bounds[number + 1]]];
    }),
  ) as unknown as Record<VariantField, Range>;
}

/** Appends the fields of a variant that differ from the base text, and points to it for the rest. */
function appendVariant(
  source: SourceStore,
  current: Language,
  baseTexts: Record<VariantField, string>,
  bounds: readonly number[],
): Record<VariantField, Range> {
  const ranges = baseRanges(bounds);
  const texts = variantTexts(source, current);
  for (const field of VARIANT_FIELDS) {
    if (texts[field] !== baseTexts[field])
      ranges[field] = text.append(fieldText(field, texts[field]));
  }
  return ranges;
}

/** The JSON of the geo field in one language, and where its locations lie in it. */
class GeoText {
  readonly json: string;
  private readonly pieces: readonly string[];

  constructor(source: SourceStore, current: Language) {
    const locations = source.geo.displayAddress
      ? [source.geo.main, ...source.geo.rentalPoints]
      : [];
    this.pieces = locations.map((location) =>
      JSON.stringify(responseLocation(location, current, source.localization.default)),
    );
    const [main, ...rentalPoints] = this.pieces;
    const list = rentalPoints.length > 0 ? `[${rentalPoints.join(',')}]` : 'null';
    this.json = main === undefined ? HIDDEN_GEO : `{"location":${main},"locations":${list}}`;
  }

  /** Where everything lies when the field's text starts at byte `start`. */
  ranges(start: number): GeoRanges {
    const [main = 0, ...rentalPoints] = this.pieces.map(utf8Length);
    const mainEnd = start + utf8Length(fieldText('geo', '{"location":')) + main;
    let position = mainEnd + utf8Length(',"locations":[');
    return {
      start,
      mainEnd,
      end: start + utf8Length(fieldText('geo', this.json)),
      rentalPoints: rentalPoints.map((length) => {
        const range: Range = [position, position + length];
        position += length + 1;
        return range;
      }),
    };
  }
}

/** The distinct geo texts of a record: most stores name their locations alike in every language. */
class GeoVariants {
  readonly ranges: GeoRanges[];
  private readonly numbers: Map<string, number>;

  constructor(base: GeoText, start: number) {
    this.ranges = [base.ranges(start)];
    this.numbers = new Map([[base.json, 0]]);
  }

  /** The number of a geo text, appended if the record does not have it yet. */
  number(geo: GeoText): number {
    const known = this.numbers.get(geo.json);
    if (known !== undefined) return known;
    const [start] = text.append(fieldText('geo', geo.json));
    this.numbers.set(geo.json, this.ranges.length);
    return this.ranges.push(geo.ranges(start)) - 1;
  }
}

function appendRentalPoint(location: SourceLocation): RecordParts['rentalPoints'][number] {
  const slug = text.append(fieldText('rentalPointSlug', JSON.stringify(location.slug)));
  const mirror: MirrorFields = mirrorFields(location);
  const ends = LOCATION_FIELDS.map(
    (field) => text.append(fieldText(field, JSON.stringify(mirror[field])))[1],
  );
  return { slug, ends };
}

const encoder = new TextEncoder();
const utf8Length = (value: string): number => encoder.encode(value).length;
