/** What can be wrong with a source: faults, and a report of all of them, to people as text, to machines as data. */
import { formatCount, plural, visible } from '../cli/output.ts';
import { JsonSpool } from './file-spool.ts';

/** Kinds of faults, with what they mean to readers of a report; the words are stable. */
export const FAULT_KINDS = {
  broken_array: 'the JSON array is cut off, or something follows it',
  no_stores: 'the source holds no store',
  other_store_count: 'another number of stores than expected',
  utf16: 'the source is UTF-16 or UTF-32 text, not UTF-8',
  other_file: 'the source is another kind of file',
  wrapped_stores: 'an object around the stores, or around each',
  store_over_lines: 'a store that goes over several lines',
  invalid_utf8: 'not UTF-8 text',
  invalid_json: 'not JSON',
  duplicate_key: 'a key given twice in one object',
  unreadable_text: 'a text with NUL or half of a surrogate pair',
  record_too_large: 'too long for one store',
  missing_field: 'a required field is missing',
  unknown_key: 'a key that no store has',
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
} as const;

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

export interface Fault extends RecordLocation, StoreFault {
  /** Of a last line that does not end: the source may have been cut off there. */
  readonly mayBeCutOff?: true;
}

/** Faults of the source as a whole: no store can be left out to get rid of them. */
const SOURCE_FAULTS: ReadonlySet<FaultKind> = new Set([
  'broken_array',
  'no_stores',
  'other_store_count',
  'utf16',
  'other_file',
  'wrapped_stores',
  'store_over_lines',
]);

export function isSourceFault({ kind }: Fault): boolean {
  return SOURCE_FAULTS.has(kind);
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

/**
 * Most groups that are told apart. Keys that no store has can be anything, so their number knows no
 * bound; what comes after goes by its kind alone.
 */
const MAX_GROUPS = 1_000;

/** How many faults of a group are shown. */
const MAX_SHOWN_FAULTS = 3;

/** How many groups are shown. */
const MAX_SHOWN_GROUPS = 50;

/** How many stores took the value at each path. */
export type TakenDefaults = Map<string, number>;

/** Faults of one kind in one field. */
interface FaultGroup {
  readonly kind: FaultKind;
  /** Of the field, with `*` for any element of an array: `geo.rentalPoints.*.slug`. */
  readonly path: string;
  count: number;
  /** The first few. */
  readonly faults: Fault[];
}

/** Counts every fault, keeps the first few of each group and, for machines, all of them. */
export class FaultReport {
  goodStores = 0;
  /** Records that had a fault, hence are left out when others are not. */
  faultyStores = 0;
  /** Whether the source as a whole is faulty. */
  isSourceFaulty = false;
  /** Whether the source ends within a line that cannot be read. */
  mayBeCutOff = false;
  count = 0;
  /** What stores took from the defaults; null: none were given. */
  taken: TakenDefaults | null = null;
  /** Every fault in the order in which they were found, if all are to be kept; to be read once. */
  readonly faults = new JsonSpool<Fault>();
  private readonly keepsAll: boolean;
  private readonly byField = new Map<string, FaultGroup>();

  /** @param keepsAll whether every fault will be asked for, as by machines; else the first few of each group */
  constructor(keepsAll: boolean) {
    this.keepsAll = keepsAll;
  }

  /** Takes all faults of one record. */
  add(faults: readonly Fault[]): void {
    if (faults.some(isSourceFault)) this.isSourceFaulty = true;
    else this.faultyStores++;
    for (const fault of faults) this.addLate(fault);
  }

  /** Takes a fault of a record of which others were told before. */
  addLate(fault: Fault): void {
    this.count++;
    if (fault.mayBeCutOff) this.mayBeCutOff = true;
    if (this.keepsAll) this.faults.add(fault);
    const { kind, path } = fault;
    const field = fieldOf(path);
    const isTold = this.byField.size < MAX_GROUPS || this.byField.has(`${kind} ${field}`);
    const told = isTold ? field : '…';
    const key = `${kind} ${told}`;
    const group = this.byField.get(key) ?? { kind, path: told, count: 0, faults: [] };
    this.byField.set(key, group);
    group.count++;
    if (group.faults.length < MAX_SHOWN_FAULTS) group.faults.push(fault);
  }

  get stores(): number {
    return this.goodStores + this.faultyStores;
  }

  /** Returns the groups, the most frequent ones first. */
  get groups(): readonly FaultGroup[] {
    return [...this.byField.values()].sort((a, b) => b.count - a.count);
  }
}

/** Returns the faults by kind and field with their counts, the first few of each with where, what and why. */
export function formatFaults({ groups }: FaultReport): string {
  const shown = groups.slice(0, MAX_SHOWN_GROUPS).map(formatGroup);
  const hidden = groups.slice(MAX_SHOWN_GROUPS);
  const count = hidden.reduce((sum, group) => sum + group.count, 0);
  const places = plural(hidden.length, 'more place');
  const more =
    hidden.length > 0 ? [`… and ${plural(count, 'fault')} in ${places}; --json shows all`] : [];
  return [...shown, ...more].join('\n\n');
}

/** Returns `2 faults in 1 store`. */
export function formatFaultCount(report: FaultReport): string {
  const faults = plural(report.count, 'fault');
  return report.faultyStores === 0
    ? faults
    : `${faults} in ${plural(report.faultyStores, 'store')}`;
}

function formatGroup({ kind, path, count, faults }: FaultGroup): string {
  const field = path === '' ? '' : `  ${visible(path)}`;
  const title = `${kind}${field} (${formatCount(count)}): ${FAULT_KINDS[kind]}`;
  const more =
    count > faults.length
      ? [`  … and ${formatCount(count - faults.length)} more; --json shows all`]
      : [];
  return [title, ...faults.map((fault) => formatFault(fault, path)), ...more].join('\n');
}

/** Writes a fault. @param field named in the title already */
function formatFault(fault: Fault, field: string): string {
  const { kind, line, element, store, path, value, message } = fault;
  const liesInLine = kind !== 'no_stores' && kind !== 'other_store_count';
  const where = [
    liesInLine ? `line ${line}` : 'the whole source',
    ...(element === null ? [] : [`element ${formatCount(element)}`]),
    ...(store === null ? [] : [`store ${visible(store)}`]),
  ].join(', ');
  const at = path === field ? '' : `  ${visible(path)}`;
  const found = value === null ? '' : `${visible(value)}: `;
  return `  ${where}${at}\n      ${found}${visible(message)}`;
}

/** Returns the faults for machines, counted by kind and field, the most frequent first. */
export function faultData(source: string, report: FaultReport) {
  const { taken } = report;
  return {
    source,
    stores: report.stores,
    good: report.goodStores,
    faulty: report.faultyStores,
    /** What stores took; undefined without defaults. */
    defaults: taken ? [...taken].map(([path, stores]) => ({ path, stores })) : undefined,
    faultCount: report.count,
    faultGroups: report.groups.map(({ kind, path, count }) => ({ kind, path, count })),
    faults: report.faults,
  };
}

/** Returns lines that say how many stores took what; none without defaults. */
export function formatTaken({ taken }: FaultReport): string[] {
  if (!taken) return [];
  const byCount = [...Map.groupBy(taken, ([, stores]) => stores)].sort(([a], [b]) => b - a);
  const lines = byCount.map(([stores, paths]) => {
    return `  ${plural(stores, 'store')}: ${paths.map(([path]) => path).join(', ')}`;
  });
  return [
    '',
    ...(lines.length > 0 ? ['Taken from the defaults:', ...lines] : ['No store took a default.']),
  ];
}

/** Returns lines that say what was left out; none when nothing was. */
export function formatLeftOut(report: FaultReport): string[] {
  if (report.faultyStores === 0) return [];
  const title = `Left out ${plural(report.faultyStores, 'store')} (${formatFaultCount(report)}):`;
  return ['', title, '', formatFaults(report)];
}
