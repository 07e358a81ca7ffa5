/** Turns one source store into the bytes of its record (see `snapshot/record-layout.ts`). */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type Store, type StoreField } from '../../src/model/store.ts';
import { FIELD_FRAMES } from '../../src/snapshot/frame-layout.ts';
import { BASE_FRAMES, BASE_SLOTS, LOCATION_FIELDS } from '../../src/snapshot/record-layout.ts';
import {
  chooseLanguage,
  deriveStore,
  displayedLocations,
  mirrorFields,
  textIn,
} from './derive-store.ts';
import * as text from './record-text.ts';
import type { LocalizedText, SourceLocation, SourceStore } from './source-store.ts';
import { type Replacement, writeRecord } from './write-record.ts';

/**
 * Compiles `source`. Returns the record without its fingerprint, a multiple of 4 bytes long, and what
 * the fingerprint is taken over, valid until the next record is compiled.
 */
export function compileRecord(source: SourceStore) {
  text.clear();
  const answers = [...LANGUAGES, null].map((requested) => chooseLanguage(source, requested));
  // The default variant comes first: it is the one of the base text.
  const main = chooseLanguage(source, null);
  const currents = [...new Set([main, ...answers])];
  /** What depends on the language, in the order in which it stands in an answer. */
  const localized: LocalizedText[] = [];
  const readMain = textIn(main, source);
  const store = deriveStore(source, (each) => {
    localized.push(each);
    return readMain(each);
  });
  const textsIn = (language: Language) => localized.map(textIn(language, source));
  const bounds = appendBase(store);
  const baseEnd = text.end;
  const variants = appendVariants(currents.map(textsIn));
  const rentalPoints = displayedLocations(source).slice(1).map(appendRentalPoint);
  const variantOfLanguage = answers.map((current) => currents.indexOf(current));
  const { locations, slots } = text;
  const record = writeRecord(
    { variantOfLanguage, bounds, variants, rentalPoints, locations, slots },
    text.bytes(),
  );
  text.cutAt(baseEnd);
  appendAnswers(answers, [...new Set(answers)].map(textsIn));
  return { record, answers: text.bytes() };
}

/** Appends the base text; returns its start and the end of each field. */
function appendBase(store: Store): number[] {
  text.reserve(BASE_SLOTS);
  const bounds = appendFields(STORE_FIELDS, store, (field) => BASE_FRAMES.get(field) ?? 0);
  text.append('}');
  return bounds;
}

/**
 * Appends those of `fields` that a store has; returns where the first starts, and where each ends.
 * @param frameOf first slot of the frame of a field that is an object
 */
function appendFields(
  fields: readonly StoreField[],
  store: Partial<Store>,
  frameOf: (field: StoreField) => number,
): number[] {
  const bounds = [text.end];
  for (const field of fields) {
    const value = store[field];
    if (value !== undefined) text.appendField(field, value, frameOf(field));
    bounds.push(text.end);
  }
  return bounds;
}

/**
 * Appends the texts in which each language differs from the first one, that of the base text.
 * @param texts those of each language that depend on it
 */
function appendVariants(texts: readonly (readonly string[])[]): Replacement[][] {
  const ranges = text.localized;
  const [base = []] = texts;
  if (base.length !== ranges.length) {
    throw new Error(`got ${ranges.length} texts that depend on the language, not ${base.length}`);
  }
  return texts.map((variant) =>
    ranges.flatMap((value, index) => {
      const replacement = variant[index] as string;
      if (replacement === base[index]) return [];
      return { value, text: text.append(JSON.stringify(replacement)) };
    }),
  );
}

/** Appends the fields that depend on a rental point when it is the queried location. */
function appendRentalPoint(location: SourceLocation) {
  const store = { rentalPointSlug: location.slug, ...mirrorFields(location) };
  const frame = text.reserve(FIELD_FRAMES.addressComponents?.slots ?? 0);
  return { bounds: appendFields(LOCATION_FIELDS, store, () => frame), frame };
}

/**
 * Appends to the base text what makes it what a store's fingerprint is taken over: all of its answers,
 * and nothing else. So it tells whether any answer could differ, in any language and for any rental
 * point, and a hidden address leaves nothing in it. Tags of single stores and `changes` go by it.
 *
 * The base text is the answer without `lang` for the main location. JSON of two arrays follows: the
 * language that answers a request for each language, in the order of the contract, and one without; and
 * for each of these languages, in the order in which it comes there first, the texts that depend on it.
 * All else of an answer follows from that.
 */
function appendAnswers(answers: readonly Language[], texts: readonly (readonly string[])[]): void {
  text.append(JSON.stringify([answers, texts]));
}
