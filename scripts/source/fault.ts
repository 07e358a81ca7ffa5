/** What can be wrong with a source. */

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
export function showValue(value: unknown): string {
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
