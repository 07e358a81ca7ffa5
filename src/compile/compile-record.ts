/** Turns one source store into the bytes of its record (see `snapshot/record-layout.ts`). */
import { sha256Bytes } from '../hash.ts';
import { LANGUAGES, type Language } from '../model/enumerations.ts';
import { chooseLanguage } from '../model/language-choice.ts';
import type { SourceLocation, SourceStore } from '../model/source-store.ts';
import { STORE_FIELDS, type StoreField } from '../model/store.ts';
import { LOCALIZED_FIELDS, LOCATION_FIELDS } from '../snapshot/record-layout.ts';
import {
  type Range,
  type Replacement,
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
import { differingStrings } from './json-text.ts';
import { FrameMeter } from './measure-frames.ts';
import { RecordText } from './record-text.ts';

type FieldTexts = Partial<Record<StoreField, string>>;

const HIDDEN_GEO = '{"location":null,"locations":null}';

const text = new RecordText();
const encoder = new TextEncoder();

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
  const baseTexts = localizedTexts(source, currents[0] as Language);
  const bounds = appendBase(source, baseTexts);
  const startOf = (field: StoreField) => bounds[STORE_FIELDS.indexOf(field)] as number;
  const variants = currents.map((current, index) =>
    index === 0 ? [] : appendVariant(baseTexts, localizedTexts(source, current), startOf),
  );
  const rentalPoints = displayedRentalPoints(source).map(appendRentalPoint);
  const meter = new FrameMeter(text.bytes());
  meter.addBase(startOf);
  const [main = [0, 0], ...objects] = locationRanges(source, startOf('geo'));
  return writeRecord({
    variantOfLanguage: answers.map((current) => currents.indexOf(current)),
    bounds,
    mainEnd: main[1],
    variants,
    rentalPoints: rentalPoints.map((point, index) => ({
      ...point,
      object: objects[index] as Range,
      // addressComponents is the last of the ends and starts where the one before it ends.
      frame: meter.add('addressComponents', point.ends.at(-2) as number),
    })),
    displayed: source.geo.displayAddress,
    slots: meter.slots,
    text: text.bytes(),
  });
}

/** Rental points that answers may show: none when the address is hidden. */
export function displayedRentalPoints(source: SourceStore): readonly SourceLocation[] {
  return source.geo.displayAddress ? source.geo.rentalPoints : [];
}

/** The JSON of the fields that may depend on the language, in one language. */
function localizedTexts(source: SourceStore, current: Language): FieldTexts {
  const fields: FieldTexts = { geo: geoText(source, current) };
  for (const [field, value] of Object.entries(languageFields(source, current))) {
    fields[field as StoreField] = JSON.stringify(value);
  }
  return fields;
}

function geoText(source: SourceStore, current: Language): string {
  if (!source.geo.displayAddress) return HIDDEN_GEO;
  const [main, ...rentalPoints] = locationTexts(source, current);
  const list = rentalPoints.length > 0 ? `[${rentalPoints.join(',')}]` : 'null';
  return `{"location":${main},"locations":${list}}`;
}

function locationTexts({ geo, localization }: SourceStore, current: Language): string[] {
  return [geo.main, ...geo.rentalPoints].map((location) =>
    JSON.stringify(responseLocation(location, current, localization.default)),
  );
}

/** Where the locations lie in the base text, the main one first; none for a hidden address. */
function locationRanges(source: SourceStore, geoStart: number): Range[] {
  if (!source.geo.displayAddress) return [];
  let start = geoStart + utf8Length(fieldText('geo', '{"location":'));
  return locationTexts(source, chooseLanguage(source, null)).map((location, index) => {
    if (index === 1) start += ',"locations":['.length;
    else if (index > 1) start += ','.length;
    const range: Range = [start, start + utf8Length(location)];
    start = range[1];
    return range;
  });
}

/** Appends the base text; returns its start and the end of each field. */
function appendBase(source: SourceStore, localized: FieldTexts): number[] {
  const mirror = mirrorFields(source.geo.displayAddress ? source.geo.main : null);
  const texts: FieldTexts = { ...localized };
  for (const [field, value] of Object.entries({ ...neutralFields(source), ...mirror })) {
    texts[field as StoreField] = JSON.stringify(value);
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

/** Appends the strings in which a variant differs from the base text. */
function appendVariant(
  base: FieldTexts,
  variant: FieldTexts,
  startOf: (field: StoreField) => number,
): Replacement[] {
  return LOCALIZED_FIELDS.flatMap((field) => {
    const [before, after] = [base[field] as string, variant[field] as string];
    if (before === after) return [];
    const bytes = encoder.encode(fieldText(field, after));
    return differingStrings(text.bytes(), startOf(field), bytes).map(({ value, other }) => ({
      value,
      text: text.appendBytes(bytes.subarray(...other)),
    }));
  });
}

/** Appends the fields that mirror a rental point when it is the queried location. */
function appendRentalPoint(location: SourceLocation) {
  const slug = text.append(fieldText('rentalPointSlug', JSON.stringify(location.slug)));
  const mirror: MirrorFields = mirrorFields(location);
  const ends = LOCATION_FIELDS.map(
    (field) => text.append(fieldText(field, JSON.stringify(mirror[field])))[1],
  );
  return { slug, ends };
}

const utf8Length = (value: string): number => encoder.encode(value).length;
