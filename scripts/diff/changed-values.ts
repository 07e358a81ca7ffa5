/** The values in which two records of a store differ, for people who want to know what an export does. */
import { LANGUAGES, type Language } from '../../src/model/enumerations.ts';
import type { StoreField } from '../../src/model/store.ts';
import { shorten } from '../source/fault.ts';
import { fieldText, type RecordPlace } from './changed-fields.ts';

/** A value that differs. */
export interface ChangedValue {
  /** Of an answer: dotted, elements of lists by number. */
  readonly path: string;
  /** Null: in answers without a language too. */
  readonly language: Language | null;
  /** JSON, shortened; null when there is none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** The same with the values themselves; undefined where there is none. */
export interface ValueDifference extends Pick<ChangedValue, 'path' | 'language'> {
  readonly before: unknown;
  readonly after: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Every value that differs within `fields`, each once, however many languages show it. */
export function findDifferences(
  before: RecordPlace,
  after: RecordPlace,
  fields: readonly StoreField[],
): ValueDifference[] {
  return fields.flatMap((field) => {
    const found = new Map<string, ValueDifference>();
    for (const language of [null, ...LANGUAGES]) {
      const pair = [readField(before, field, language), readField(after, field, language)] as const;
      for (const [path, was, is] of differences(...pair, field)) {
        const key = `${path} ${showValue(was)} ${showValue(is)}`;
        if (!found.has(key)) found.set(key, { path, language, before: was, after: is });
      }
    }
    return [...found.values()];
  });
}

export function showDifference({ path, language, before, after }: ValueDifference): ChangedValue {
  return { path, language, before: showValue(before), after: showValue(after) };
}

/** A field as an answer in a language has it. */
export function readField(
  place: RecordPlace,
  field: StoreField,
  language: Language | null,
): unknown {
  const text = new TextDecoder().decode(fieldText(place, field, language));
  return (JSON.parse(`{${text}}`) as Json)[field];
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
