/** The values in which two records of a store differ, for people who want to know what an export does. */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { SegmentList } from '../../src/render/segment-list.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunk.ts';
import { shorten } from '../source/fault.ts';

/** Fields whose values may depend on the language. */
const LOCALIZED_FIELDS: ReadonlySet<StoreField> = new Set([
  'profile',
  'localization',
  'geo',
  'pricing',
  'booking',
]);

/**
 * The fields that are compared. Deprecated ones follow their replacements; the slug of the queried
 * rental point shows in `geo` and the distance is no part of a record.
 */
export const COMPARED_FIELDS = STORE_FIELDS.filter(
  (field) =>
    field !== 'rentalPointSlug' &&
    field !== 'distance' &&
    storeSchema.shape[field].meta()?.deprecated !== true,
);

const text = new SegmentList();

/** A record: the chunk it is in, and its number there. */
export interface RecordPlace {
  readonly chunk: Chunk;
  readonly index: number;
}

/** A value that differs; undefined where there is none. */
export interface ValueDifference {
  /** Of an answer: dotted, elements of lists by number. */
  readonly path: string;
  /** Null: in answers without a language too. */
  readonly language: Language | null;
  readonly before: unknown;
  readonly after: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Every value that differs, in contract order, each once, however many languages show it. */
export function findDifferences(before: RecordPlace, after: RecordPlace): ValueDifference[] {
  return COMPARED_FIELDS.flatMap((field) => {
    const found = new Map<string, ValueDifference>();
    const languages = LOCALIZED_FIELDS.has(field) ? [null, ...LANGUAGES] : [null];
    for (const language of languages) {
      const texts = [
        fieldText(before, field, language),
        fieldText(after, field, language),
      ] as const;
      // Most fields are the same, which their texts tell soonest.
      if (Buffer.compare(...texts) === 0) continue;
      const [was, is] = texts.map((text) => parseField(text, field));
      for (const [path, from, to] of differences(was, is, field)) {
        const key = `${path} ${showValue(from)} ${showValue(to)}`;
        if (!found.has(key)) found.set(key, { path, language, before: from, after: to });
      }
    }
    return [...found.values()];
  });
}

/** The values as reports show them: JSON, shortened; null when there is none. */
export function showDifference({ path, language, before, after }: ValueDifference) {
  return { path, language, before: showValue(before), after: showValue(after) };
}

/** A field as answers without a language have it. */
export function readField(place: RecordPlace, field: StoreField): unknown {
  return parseField(fieldText(place, field, null), field);
}

function parseField(text: Uint8Array, field: StoreField): unknown {
  return (JSON.parse(`{${new TextDecoder().decode(text)}}`) as Json)[field];
}

/** The text of a field of a record as answers in a language have it. */
function fieldText(
  { chunk, index }: RecordPlace,
  field: StoreField,
  language: Language | null,
): Uint8Array {
  const view = new StoreView(language, null);
  view.moveTo(chunk, index, 0, null);
  view.addField(text, field, 1);
  return text.toBytes();
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differences(
  was: unknown,
  is: unknown,
  path: string,
): Generator<readonly [path: string, before: unknown, after: unknown]> {
  if (was === is) return;
  const areAlike = isHolder(was) && isHolder(is) && Array.isArray(was) === Array.isArray(is);
  const areLists = Array.isArray(was) && Array.isArray(is);
  if (!areAlike || (areLists && was.length !== is.length)) {
    yield [path, was, is];
    return;
  }
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    yield* differences((was as Json)[key], (is as Json)[key], `${path}.${key}`);
  }
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** JSON, shortened; null when there is no value. */
function showValue(value: unknown): string | null {
  return value === undefined ? null : shorten(JSON.stringify(value));
}
