/** Turns one source store into the bytes of its record, which `src/snapshot/record.ts` draws. */
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { STORE_FIELDS } from '../../src/model/store.ts';
import { endsOf } from '../../src/snapshot/column-file.ts';
import { FIELD_FRAMES } from '../../src/snapshot/frame-layout.ts';
import {
  BASE_FRAMES,
  BASE_SLOTS,
  BOUNDS_WORD,
  LOCATION_COUNT_BYTE,
  LOCATION_FIELDS,
  MAX_LOCATIONS,
  RENTAL_POINT_WORDS,
  REPLACEMENT_WORDS,
  REPLACEMENTS_WORD,
  SLOTS_WORD,
  VARIANT_COUNT_BYTE,
  VARIANTS_WORD,
  WIDE_BYTE,
  WORD,
} from '../../src/snapshot/record.ts';
import {
  chooseLanguage,
  deriveStore,
  displayedLocations,
  mirrorFields,
  textIn,
} from './derive-store.ts';
import { LocalizedValue, type Range, type RecordText } from './record-text.ts';
import type { SourceLocation, SourceStore } from './source-store.ts';

/** A value of the base text, and the text that stands in its place. */
interface Replacement {
  readonly value: Range;
  readonly text: Range;
}

/** What a record is made of besides its text; all ranges count from the start of that. */
interface RecordParts {
  /** Variant per language, then the one for requests without a language. */
  readonly variantOfLanguage: readonly number[];
  /** Start of the base text, and the end of each field. */
  readonly bounds: readonly number[];
  /** Replacements of each variant, in the order of the base text. */
  readonly variants: readonly (readonly Replacement[])[];
  readonly rentalPoints: readonly {
    /** Start of the fields that depend on it, and the end of each. */
    readonly bounds: readonly number[];
    /** Frame of addressComponents. */
    readonly frame: number;
  }[];
  /** Where the locations of `geo` lie, the main one first. */
  readonly locations: readonly Range[];
  /** Of all frames. */
  readonly slots: readonly number[];
}

const MAX_NARROW = 0xffff;

/**
 * Compiles `source`. Returns the record without its fingerprint, a multiple of 4 bytes long, and what
 * the fingerprint is taken over, valid until `text` is used again: all answers of the store, and nothing else. So
 * it tells whether any answer could differ, in any language and for any rental point, and a hidden address leaves
 * nothing in it. Tags of single stores and `changes` go by it.
 */
export function compileRecord(source: SourceStore, text: RecordText) {
  text.clear();
  const main = chooseLanguage(source, null);
  const answers = [...LANGUAGES.map((requested) => chooseLanguage(source, requested)), main];
  // The default variant comes first: it is the one of the base text.
  const currents = [...new Set([main, ...answers])];
  const readMain = textIn(main, source);
  // As an answer has texts there, these have their type.
  const store = deriveStore(
    source,
    (each) => new LocalizedValue(each, readMain(each)) as unknown as string,
  );
  text.reserve(BASE_SLOTS);
  const bounds = text.appendFields(STORE_FIELDS, store, BASE_FRAMES);
  text.append('}');
  const baseEnd = text.end;
  const { localized, locations, slots } = text;
  const texts = currents.map((current) =>
    localized.map((each) => textIn(current, source)(each.source)),
  );
  const variants = appendVariants(texts, text);
  const rentalPoints = displayedLocations(source)
    .slice(1)
    .map((location) => appendRentalPoint(location, text));
  const variantOfLanguage = answers.map((current) => currents.indexOf(current));
  const record = writeRecord(
    { variantOfLanguage, bounds, variants, rentalPoints, locations, slots },
    text.bytes(),
  );
  text.end = baseEnd;
  // The base text is the answer without `lang` for the main location. JSON of two arrays follows: the language that
  // answers a request for each language, in the order of the contract, and one without; and for each of these
  // languages, in the order in which it comes there first, the texts that depend on it. All else of an answer
  // follows from that.
  const inOrder = [...new Set(variantOfLanguage)].map((variant) => texts[variant]);
  text.append(JSON.stringify([answers, inOrder]));
  return { record, answers: text.bytes() };
}

/**
 * Appends the texts in which each language differs from the first one, the language of the base text.
 * @param texts the texts of each language that depend on it
 */
function appendVariants(texts: readonly (readonly string[])[], text: RecordText): Replacement[][] {
  const [base = []] = texts;
  return texts.map((variant) =>
    text.localized.flatMap(({ range: value }, index) => {
      const replacement = variant[index] as string;
      if (replacement === base[index]) return [];
      return { value, text: text.append(JSON.stringify(replacement)) };
    }),
  );
}

/** Appends the fields that depend on a rental point when it is the queried location. */
function appendRentalPoint(location: SourceLocation, text: RecordText) {
  const store = { rentalPointSlug: location.slug, ...mirrorFields(location) };
  const frame = text.reserve(FIELD_FRAMES.addressComponents?.slots ?? 0);
  const frames = new Map([['addressComponents', frame]] as const);
  return { bounds: text.appendFields(LOCATION_FIELDS, store, frames), frame };
}

/**
 * Lays a record out, its fingerprint still zero; its length is a multiple of 4.
 * @throws Error when the store has more locations than a record can count
 */
export function writeRecord(parts: RecordParts, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { variants, rentalPoints, locations, slots } = parts;
  const { length: count } = locations;
  if (count > MAX_LOCATIONS) {
    throw new Error(`a store has ${count} locations: MAX_LOCATIONS is ${MAX_LOCATIONS}`);
  }
  const SlotArray = slots.some((slot) => slot > MAX_NARROW) ? Uint32Array : Uint16Array;
  const replacements = variants.flat().length;
  const replacementsStart =
    WORD * (VARIANTS_WORD + variants.length + 1 + RENTAL_POINT_WORDS * rentalPoints.length);
  const slotsStart = replacementsStart + WORD * REPLACEMENT_WORDS * replacements;
  const textStart = roundUp(slotsStart + SlotArray.BYTES_PER_ELEMENT * slots.length);
  const record = new Uint8Array(roundUp(textStart + bytes.length));
  const view = new DataView(record.buffer);
  record.set(parts.variantOfLanguage, 0);
  view.setUint8(VARIANT_COUNT_BYTE, variants.length);
  view.setUint16(LOCATION_COUNT_BYTE, count, true);
  view.setUint16(WIDE_BYTE, SlotArray === Uint32Array ? 1 : 0, true);
  view.setUint32(SLOTS_WORD * WORD, slotsStart, true);
  view.setUint32(REPLACEMENTS_WORD * WORD, replacementsStart, true);
  const words = wordsOf(parts, textStart);
  new Uint32Array(record.buffer, BOUNDS_WORD * WORD, words.length).set(words);
  new SlotArray(record.buffer, slotsStart, slots.length).set(slots);
  record.set(bytes, textStart);
  return record;
}

/** Returns the words of the header from the bounds on, replacements included. */
function wordsOf(parts: RecordParts, textStart: number): number[] {
  const { bounds, variants, rentalPoints } = parts;
  const [main = [0, 0], ...points] = parts.locations;
  const at = (...positions: readonly number[]) => positions.map((each) => textStart + each);
  return [
    ...at(...bounds, main[1]),
    0,
    ...endsOf(variants),
    ...rentalPoints.flatMap(({ bounds, frame }, index) => {
      return [...at(...(points[index] as Range), ...bounds), frame];
    }),
    ...variants.flat().flatMap(({ value, text }) => at(...value, ...text)),
  ];
}

const roundUp = (bytes: number): number => Math.ceil(bytes / WORD) * WORD;
