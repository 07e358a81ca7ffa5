/** What differs in stores that changed: their fields and values. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import { isRequested, STORE_FIELDS, type StoreField, storeSchema } from '../../src/model/store.ts';
import { AnswerBuffer } from '../../src/render/answer-buffer.ts';
import { StoreView } from '../../src/render/store-view.ts';
import type { Chunk } from '../../src/snapshot/chunks.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { fieldOf, shorten } from '../source/fault.ts';
import type { StorePair } from './diff-releases.ts';

/** Stores compared at once: their chunks are read together. */
const COMPARED_AT_ONCE = 100;

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
 * rental point shows in `geo`, and what requests add is no part of a record.
 */
const COMPARED_FIELDS = STORE_FIELDS.filter(
  (field) =>
    field !== 'rentalPointSlug' &&
    !isRequested(field) &&
    storeSchema.shape[field].meta()?.deprecated !== true,
);

/** The record of a store: the chunk that it is in, and its index there. */
export interface StoredRecord {
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

/** A store as answers have it, without the fields that are not compared. */
export type StoreRecord = Readonly<Record<string, unknown>>;

/** Where a changed store differs. */
export interface ChangedFields {
  /** In contract order, without the deprecated ones. */
  readonly fields: readonly StoreField[];
  /** The dotted path of the only value that differs, `*` for any element of a list; null: several do. */
  readonly soleField: string | null;
}

/** A changed store, with both of its records: not to be kept, for they hold whole chunks in memory. */
export interface StoreChange extends ChangedFields {
  readonly store: StoreName;
  readonly before: StoredRecord;
  readonly after: StoredRecord;
  readonly differences: readonly ValueDifference[];
}

/** A changed store as reports show it, with what stood there and what stands there now. */
export type DetailedChange = ReturnType<typeof describeChange>;

/**
 * Reads the records of changed stores, and finds where they differ.
 * @param live null: no store has changed
 * @throws CommandError release_damaged
 */
export async function* readChanges(
  live: ReleaseReader | null,
  next: ReleaseReader,
  pairs: readonly StorePair[],
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
): AsyncGenerator<StoreChange> {
  if (!live || pairs.length === 0) return;
  progress.begin('Comparing', pairs.length, 'stores');
  for (let start = 0; start < pairs.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = pairs.slice(start, start + COMPARED_AT_ONCE);
    const was = await live.records(group.map(({ before }) => before));
    const is = await next.records(group.map(({ after }) => after));
    for (const [index, { id, slug }] of group.entries()) {
      const [before, after] = [recordAt(was, index), recordAt(is, index)];
      const differences = findDifferences(before, after);
      const fields = new Set(differences.map(({ path }) => path.split('.')[0] as StoreField));
      const [path, ...others] = new Set(differences.map((each) => fieldOf(each.path)));
      const soleField = path && others.length === 0 ? path : null;
      yield { store: { id, slug }, fields: [...fields], soleField, before, after, differences };
    }
    progress.update(start + group.length);
  }
}

/** Every value in which two records of a store differ, in contract order, each once, however many languages show it. */
function findDifferences(before: StoredRecord, after: StoredRecord): ValueDifference[] {
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

/** Returns a change with its values as JSON, shortened; null where there is none. */
export function describeChange({ store, fields, differences }: StoreChange) {
  const values = differences.map(({ path, language, before, after }) => {
    return { path, language, before: showValue(before), after: showValue(after) };
  });
  return { ...store, fields, values };
}

/** Reads a store as answers without a language have it, with its `descriptions` in each. */
export function readRecord(record: StoredRecord): StoreRecord {
  const read = (field: StoreField, language: Language | null) =>
    parseField(fieldText(record, field, language), field);
  const fields = COMPARED_FIELDS.map((field) => [field, read(field, null)]);
  const descriptions = LANGUAGES.map((language) => {
    return [language, (read('profile', language) as StoreRecord).description];
  });
  return { ...Object.fromEntries(fields), descriptions: Object.fromEntries(descriptions) };
}

function parseField(text: Uint8Array, field: StoreField): unknown {
  return (JSON.parse(`{${new TextDecoder().decode(text)}}`) as StoreRecord)[field];
}

/** Takes one field at a time. */
const buffer = new AnswerBuffer();

/** The text of a field of a record as answers in a language have it. */
function fieldText(
  { chunk, index }: StoredRecord,
  field: StoreField,
  language: Language | null,
): Uint8Array {
  const view = new StoreView(buffer, language, null);
  buffer.clear();
  view.moveTo(chunk, index, 0, null, null, null);
  view.addField(field);
  return buffer.toBytes().slice();
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differences(
  was: unknown,
  is: unknown,
  path: string,
): Generator<readonly [path: string, before: unknown, after: unknown]> {
  if (was === is) return;
  const shape = shapeOf(was);
  if (shape === null || shape !== shapeOf(is)) {
    yield [path, was, is];
    return;
  }
  const [from, to] = [was as StoreRecord, is as StoreRecord];
  for (const key of Object.keys({ ...from, ...to })) {
    yield* differences(from[key], to[key], `${path}.${key}`);
  }
}

/** Returns the length of a list, `object` for an object, null for what holds no values. */
function shapeOf(value: unknown): number | 'object' | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? 'object' : null;
}

/** JSON, shortened; null when there is no value. */
function showValue(value: unknown): string | null {
  return value === undefined ? null : shorten(JSON.stringify(value));
}

/** Returns one of some records. */
export function recordAt({ chunks, indexes }: StoredRecords, index: number): StoredRecord {
  return { chunk: chunks[index] as Chunk, index: indexes[index] as number };
}
