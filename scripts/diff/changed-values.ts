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

type Json = Readonly<Record<string, unknown>>;
type Difference = readonly [path: string, before: unknown, after: unknown];

/** Every value that differs within `fields`, each once, however many languages show it. */
export function changedValues(
  before: RecordPlace,
  after: RecordPlace,
  fields: readonly StoreField[],
): ChangedValue[] {
  return fields.flatMap((field) => {
    const found = new Map<string, ChangedValue>();
    for (const language of [null, ...LANGUAGES]) {
      const pair = [readField(before, field, language), readField(after, field, language)] as const;
      for (const [path, was, is] of differences(...pair, field)) {
        const value = { path, before: show(was), after: show(is) };
        const key = `${path} ${value.before} ${value.after}`;
        if (!found.has(key)) found.set(key, { language, ...value });
      }
    }
    return [...found.values()];
  });
}

function readField(place: RecordPlace, field: StoreField, language: Language | null): unknown {
  const text = new TextDecoder().decode(fieldText(place, field, language));
  return (JSON.parse(`{${text}}`) as Json)[field];
}

/** Lists of different lengths differ as a whole: it is unknown which elements belong together. */
function* differences(was: unknown, is: unknown, path: string): Generator<Difference> {
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

function show(value: unknown): string | null {
  return value === undefined ? null : shorten(JSON.stringify(value));
}
