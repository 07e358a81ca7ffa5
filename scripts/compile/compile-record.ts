/** Turns one source store into the bytes of its record (see `snapshot/record-layout.ts`). */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type Store, type StoreField } from '../../src/model/store.ts';
import { LOCATION_FIELDS } from '../../src/snapshot/record-layout.ts';
import {
  chooseLanguage,
  displayedLocations,
  geoField,
  languageFields,
  localizedTexts,
  mirrorFields,
  neutralFields,
} from './derive-store.ts';
import { FrameMeter } from './measure-frames.ts';
import { RecordText } from './record-text.ts';
import type { SourceLocation, SourceStore } from './source-store.ts';
import { type Range, type Replacement, writeRecord } from './write-record.ts';

/** Shared by all records: nothing waits between its first text and the copy into the record. */
const text = new RecordText();
const answerText = new RecordText();

/**
 * Compiles `source`. Returns the record without its fingerprint, a multiple of 4 bytes long, and what
 * `answerContent` makes of the store, valid until the next record is compiled.
 */
export function compileRecord(source: SourceStore) {
  text.clear();
  const answers = [...LANGUAGES, null].map((requested) => chooseLanguage(source, requested));
  // The default variant comes first: it is the one of the base text.
  const currents = [...new Set([chooseLanguage(source, null), ...answers])];
  const [main, ...rentalPoints] = displayedLocations(source);
  const bounds = appendBase(source, currents[0] as Language, main ?? null);
  const baseEnd = text.end;
  const meter = new FrameMeter(text);
  meter.addBase((field) => bounds[STORE_FIELDS.indexOf(field)] as number);
  const variants = appendVariants(source, currents, meter.localized);
  const points = rentalPoints.map(appendRentalPoint);
  const [mainRange = [0, 0], ...objects] = meter.locations;
  const record = writeRecord({
    variantOfLanguage: answers.map((current) => currents.indexOf(current)),
    bounds,
    mainEnd: mainRange[1],
    variants,
    rentalPoints: points.map((point, index) => ({
      ...point,
      object: objects[index] as Range,
      // addressComponents is the last of the ends and starts where the one before it ends.
      frame: meter.add('addressComponents', point.ends.at(-2) as number),
    })),
    displayed: main !== undefined,
    slots: meter.slots,
    text: text.bytes(),
  });
  return { record, answers: answerContent(source, text.bytes().subarray(0, baseEnd), answers) };
}

/** Appends the base text; returns its start and the end of each field. */
function appendBase(
  source: SourceStore,
  current: Language,
  location: SourceLocation | null,
): number[] {
  const store: Partial<Store> = {
    ...neutralFields(source),
    ...languageFields(source, current),
    geo: geoField(source, current),
    ...mirrorFields(location),
  };
  const bounds = [text.end];
  for (const field of STORE_FIELDS) {
    const value = store[field];
    if (value !== undefined) text.append(fieldText(field, value));
    bounds.push(text.end);
  }
  text.append('}');
  return bounds;
}

/** The text of a field with the character before it; the first field opens the object. */
function fieldText(field: StoreField, value: Store[StoreField]): string {
  return `${field === STORE_FIELDS[0] ? '{' : ','}"${field}":${JSON.stringify(value)}`;
}

/**
 * Appends the texts in which each language differs from the first one, that of the base text.
 * @param ranges where the texts that depend on the language lie in the base text
 */
function appendVariants(
  source: SourceStore,
  currents: readonly Language[],
  ranges: readonly Range[],
): Replacement[][] {
  const base = localizedTexts(source, currents[0] as Language);
  if (base.length !== ranges.length) {
    throw new Error(`got ${ranges.length} texts that depend on the language, not ${base.length}`);
  }
  return currents.map((current) => {
    const variant = localizedTexts(source, current);
    return ranges.flatMap((value, index) => {
      const replacement = variant[index] as string;
      if (replacement === base[index]) return [];
      return { value, text: text.append(JSON.stringify(replacement)) };
    });
  });
}

/** Appends the fields that mirror a rental point when it is the queried location. */
function appendRentalPoint(location: SourceLocation) {
  const slug = text.append(fieldText('rentalPointSlug', location.slug));
  const mirror = mirrorFields(location);
  const ends = LOCATION_FIELDS.map((field) => text.append(fieldText(field, mirror[field]))[1]);
  return { slug, ends };
}

/**
 * What a store's fingerprint is taken over: all of its answers, and nothing else. So it tells whether
 * any answer could differ, in any language and for any rental point, and a hidden address leaves
 * nothing in it. Tags of single stores and `changes` go by it.
 *
 * The answer without `lang` for the main location, as JSON in contract order; then JSON of two
 * arrays: the language that answers a request for each language, in the order of the contract, and one
 * without; and for each of these languages, in the order in which it comes there first, the texts that
 * depend on it. All else of an answer follows from that.
 * @param base the answer without `lang` for the main location
 * @param answers the language of the answer in each language, and without one
 */
function answerContent(
  source: SourceStore,
  base: Uint8Array,
  answers: readonly Language[],
): Uint8Array {
  const texts = [...new Set(answers)].map((language) => localizedTexts(source, language));
  answerText.clear();
  answerText.appendBytes(base);
  answerText.append(JSON.stringify([answers, texts]));
  return answerText.bytes();
}
