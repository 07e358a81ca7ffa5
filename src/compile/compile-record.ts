/** Turns one source store into the bytes of its record (see `snapshot/record-layout.ts`). */

import { sha256Bytes } from '../hash.ts';
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { chooseLanguage } from '../model/language-choice.ts';
import type { SourceLocation, SourceStore } from '../model/source-store.ts';
import { STORE_FIELDS } from '../model/store.ts';
import { LOCATION_FIELDS, VARIANT_FIELDS, type VariantField } from '../snapshot/record-layout.ts';
import {
  type Range,
  type RecordParts,
  setFingerprint,
  writeRecord,
} from '../snapshot/record-writer.ts';
import {
  languageFields,
  type MirrorFields,
  mirrorFields,
  neutralFields,
  responseLocation,
} from './derive-store.ts';
import { FrameMeter } from './measure-frames.ts';
import { RecordText } from './record-text.ts';

type VariantRanges = Readonly<Record<VariantField, Range>>;
type GeoRanges = Omit<RecordParts['geos'][number], 'frame'>;
type RentalPointRanges = Omit<RecordParts['rentalPoints'][number], 'frame'>;
type FieldTexts = Partial<Record<(typeof STORE_FIELDS)[number], string>>;

const HIDDEN_GEO = '{"location":null,"locations":null}';

const text = new RecordText();

/** The record of `source`; a multiple of 4 bytes long. */
export async function compileRecord(source: SourceStore): Promise<Uint8Array> {
  const record = layRecord(source);
  setFingerprint(record, await sha256Bytes(record));
  return record;
}

/** The record without its fingerprint. Nothing waits here: the texts are in a shared buffer. */
function layRecord(source: SourceStore): Uint8Array<ArrayBuffer> {
  text.clear();
  const answers = [...LANGUAGES, null].map((requested) => chooseLanguage(source, requested));
  // The default variant comes first: it is the one of the base text.
  const currents = [...new Set([chooseLanguage(source, null), ...answers])];
  const base = currents[0] as Language;
  const baseTexts = variantTexts(source, base);
  const baseGeo = new GeoText(source, base);
  const bounds = appendBase(source, baseTexts, baseGeo);
  const geos = new GeoVariants(baseGeo, bounds[STORE_FIELDS.indexOf('geo')] as number);
  const variants = currents.map((current, index) => ({
    fields: index === 0 ? baseRanges(bounds) : appendVariant(source, current, baseTexts, bounds),
    geo: index === 0 ? 0 : geos.number(new GeoText(source, current)),
  }));
  const rentalPoints = displayedRentalPoints(source).map(appendRentalPoint);
  const bytes = text.bytes();
  return writeRecord({
    variantOfLanguage: answers.map((current) => currents.indexOf(current)),
    bounds,
    displayed: source.geo.displayAddress,
    text: bytes,
    ...measureFrames(bytes, bounds, {
      variants,
      geos: source.geo.displayAddress ? geos.ranges : [],
      rentalPoints,
    }),
  });
}

interface Unframed {
  readonly variants: readonly { readonly fields: VariantRanges; readonly geo: number }[];
  readonly geos: readonly GeoRanges[];
  readonly rentalPoints: readonly RentalPointRanges[];
}

/** Adds to the texts of a record where the values inside them lie. */
function measureFrames(bytes: Uint8Array, bounds: readonly number[], texts: Unframed) {
  const meter = new FrameMeter(bytes);
  meter.addBase((field) => bounds[STORE_FIELDS.indexOf(field)] as number);
  /** Frames by where the text starts: variants share the texts in which they do not differ. */
  const known = new Map<number, number>();
  const frameOf = (field: VariantField, start: number): number => {
    const frame = known.get(start) ?? meter.add(field, start);
    known.set(start, frame);
    return frame;
  };
  const variants = texts.variants.map(({ fields, geo }) => {
    const framed = VARIANT_FIELDS.map((field) => {
      const range = fields[field];
      return [field, { range, frame: frameOf(field, range[0]) }] as const;
    });
    return {
      fields: Object.fromEntries(framed) as RecordParts['variants'][number]['fields'],
      geo,
    };
  });
  return {
    variants,
    geos: texts.geos.map((geo) => ({ ...geo, frame: meter.add('geo', geo.start) })),
    rentalPoints: texts.rentalPoints.map((point) => ({
      ...point,
      // addressComponents is the last of the ends and starts where the one before it ends.
      frame: meter.add('addressComponents', point.ends.at(-2) as number),
    })),
    slots: meter.slots,
  };
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

function baseRanges(bounds: readonly number[]): VariantRanges {
  return Object.fromEntries(
    VARIANT_FIELDS.map((field) => {
      const number = STORE_FIELDS.indexOf(field);
      return [field, [bounds[number], bounds[number + 1]]];
    }),
  ) as unknown as VariantRanges;
}

/** Appends the fields of a variant that differ from the base text, and points to it for the rest. */
function appendVariant(
  source: SourceStore,
  current: Language,
  baseTexts: Record<VariantField, string>,
  bounds: readonly number[],
): VariantRanges {
  const ranges = { ...baseRanges(bounds) } as Record<VariantField, Range>;
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

function appendRentalPoint(location: SourceLocation): RentalPointRanges {
  const slug = text.append(fieldText('rentalPointSlug', JSON.stringify(location.slug)));
  const mirror: MirrorFields = mirrorFields(location);
  const ends = LOCATION_FIELDS.map(
    (field) => text.append(fieldText(field, JSON.stringify(mirror[field])))[1],
  );
  return { slug, ends };
}

const encoder = new TextEncoder();
const utf8Length = (value: string): number => encoder.encode(value).length;
