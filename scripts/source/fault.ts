/** What can be wrong with a source, and how what zod finds wrong with a store becomes faults: one for each place. */
import type * as z from 'zod';
import { sourceFields } from './source-schema.ts';

/** Kinds of faults of the source as a whole: no store can be left out to get rid of them. */
const SOURCE_FAULTS = {
  broken_end: 'the source is cut off, or something follows its array',
  no_stores: 'the source holds no store',
  other_store_count: 'another number of stores than expected',
  other_file: 'the source is another kind of file',
  wrapped_stores: 'an object around the stores, or around each',
  store_over_lines: 'a store that goes over several lines',
};

/** Kinds of faults, with what they mean to readers of a report; the words are stable. */
export const FAULT_KINDS = {
  ...SOURCE_FAULTS,
  invalid_utf8: 'not UTF-8 text',
  invalid_json: 'not JSON',
  duplicate_key: 'a key given twice in one object',
  unreadable_text: 'a text with NUL or half of a surrogate pair',
  record_too_large: 'too long for one store',
  missing_field: 'a required field is missing',
  unknown_key: 'a key that has no place there',
  wrong_type: 'a value of another type',
  not_in_enumeration: 'a word that is not among the allowed ones',
  out_of_range: 'a number out of its range',
  bad_format: 'a text of another form',
  unknown_language: 'a language map with another key than a language',
  empty_language_map: 'a language map without a language',
  default_language_unavailable: 'a default language that the store does not have',
  unknown_time_zone: 'not a name of an IANA time zone',
  unknown_currency: 'not an active currency of ISO 4217',
  slug_looks_like_id: 'a slug that could be an id',
  duplicate_rental_point_slug: 'a rental point slug used twice in a store',
  duplicate_id: 'an id used twice',
  duplicate_slug: 'a slug used twice',
};

export type FaultKind = keyof typeof FAULT_KINDS;

/** Where a store is, and what it is called. */
export interface RecordLocation {
  /** Where the store begins, counted from 1. */
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON, where the line says it. */
  readonly element: number | null;
  /** Its id, else its slug, else its name, else null. */
  readonly store: string | null;
}

/** A fault of a store, not yet with its line and id. */
export interface StoreFault {
  readonly kind: FaultKind;
  /** Dotted, array indexes as numbers: `geo.rentalPoints.2.slug`; empty for the store itself. */
  readonly path: string;
  /** What stands there, shortened; null when nothing does. */
  readonly value: string | null;
  /** What was expected. */
  readonly message: string;
}

export interface Fault extends RecordLocation, StoreFault {}

export function isSourceFault({ kind }: Fault): boolean {
  return kind in SOURCE_FAULTS;
}

/** Returns a fault that keeps a record, or the whole source, from being read. */
export function recordFault(
  kind: FaultKind,
  line: number,
  message: string,
  more: Partial<Fault> = {},
): Fault {
  return { kind, line, element: null, store: null, path: '', value: null, message, ...more };
}

/** Returns a dotted path with `*` for any element of an array: `geo.rentalPoints.*.slug`. */
export function fieldOf(path: string): string {
  return path.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '*');
}

/** Characters of a value that is shown. */
const MAX_VALUE_LENGTH = 60;

/** Returns a short rendering of a JSON value: its JSON text, cut where it grows long. */
function showValue(value: unknown): string {
  if (Array.isArray(value) && value.length > 0) return `array of ${value.length}`;
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    return shorten(`object with ${Object.keys(value).join(', ')}`);
  }
  // JSON numbers beyond the range of a double are read as infinite.
  if (typeof value === 'number') return String(value);
  return shorten(JSON.stringify(value));
}

/** Cuts a text to a length that fits a line. */
export function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_VALUE_LENGTH)];
  if (characters.length <= MAX_VALUE_LENGTH) return text;
  return `${characters.slice(0, MAX_VALUE_LENGTH - 1).join('')}…`;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What issues are that rules of the model do not name; all else is of a wrong form. */
const KINDS: Readonly<Partial<Record<Issue['code'], FaultKind>>> = {
  invalid_type: 'wrong_type',
  invalid_union: 'wrong_type',
  invalid_value: 'not_in_enumeration',
  too_small: 'out_of_range',
  too_big: 'out_of_range',
};

/**
 * Returns the faults that `issues` stand for; `store` is the value they were found in.
 * @param within path of the value that they were found in: their own begins there
 */
export function issueFaults(
  issues: readonly Issue[],
  store: unknown,
  within: Path = [],
): StoreFault[] {
  return issues.flatMap((issue) => {
    const path = [...within, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        return toFault('unknown_key', [...path, key], store, 'expected no such key');
      });
    }
    const inner = innerIssues(issue);
    if (inner) return issueFaults(inner, store, path);
    const kind = (issue.code === 'custom' && issue.params?.kind) || KINDS[issue.code];
    return [toFault(kind ?? 'bad_format', path, store, expectedBy(issue))];
  });
}

/** Returns the issues of a key, or of the branch of a union that is meant for a value of this type. */
function innerIssues(issue: Issue): readonly Issue[] | undefined {
  if (issue.code === 'invalid_key') return issue.issues;
  if (issue.code !== 'invalid_union') return undefined;
  return issue.errors.find(([first]) => first?.code !== 'invalid_type' || first.path.length > 0);
}

/** Returns what zod expected, in its words without those on what it got, which a fault shows itself. */
function expectedBy(issue: Issue): string {
  if (issue.code === 'invalid_format' && issue.format === 'datetime') {
    return 'expected a day and a time that exist, with T between them and Z or an offset, as 2026-11-01T08:30:00+01:00';
  }
  return issue.message.replaceAll(/^[A-Z][a-z ]+: |, received \w+$/g, '');
}

/** Paths of the fields that may be null. Made once there is a fault. */
let nullable: ReadonlySet<string> | undefined;

/** Returns the fault of a value that is not what was expected; where there is none, that is what is wrong. */
function toFault(kind: FaultKind, keys: Path, store: unknown, expected: string): StoreFault {
  const path = keys.join('.');
  const found = keys.reduce<unknown>((value, key) => Object(value)[key], store);
  nullable ??= new Set(sourceFields().flatMap((field) => (field.isNullable ? field.path : [])));
  const message = nullable.has(fieldOf(path)) ? `${expected}, or null` : expected;
  if (found === undefined) return { kind: 'missing_field', path, value: null, message };
  return { kind, path, value: showValue(found), message };
}
