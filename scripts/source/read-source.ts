/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../cli/command-error.ts';
import { shellWord } from '../cli/output.ts';
import { type Fault, type FaultKind, recordFault, type StoreFault, shorten } from './fault.ts';
import { joinStart, readStart } from './open-source.ts';
import { advise, isBinary, otherFile } from './other-file.ts';
import { MAX_RECORD_BYTES, type RawRecord, splitArray, splitLines } from './split-records.ts';
import { isWithoutStores, pathToStores } from './stores-within.ts';
import { firstValue, repeatedKeys, valuesIn } from './values-in.ts';

/** A JSON value of the source and the line it begins at, counted from 1. */
export interface SourceRecord {
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON. */
  readonly element: number | null;
  readonly value: unknown;
  /** What only its text shows to be wrong. */
  readonly faults: readonly StoreFault[];
}

/** Bytes by which one kind of file is told from another. */
const TELLING_BYTES = 65_536;

/** The byte order mark of UTF-8. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the values of a source in order, and a fault for whatever is no value.
 *
 * Needs the memory of one store of the largest size, whatever the source holds. Errors of `chunks` pass through.
 * @param isGzip whether `chunks` are what gzip held, so that advised commands unzip the file first
 */
export async function* readSource(
  chunks: AsyncGenerator<Uint8Array>,
  isGzip = false,
): AsyncGenerator<SourceRecord | Fault> {
  const marked = await readStart(chunks, TELLING_BYTES);
  const hasMark = BYTE_ORDER_MARK.equals(marked.subarray(0, BYTE_ORDER_MARK.length));
  const begun = hasMark ? marked.subarray(BYTE_ORDER_MARK.length) : marked;
  const text = decoder.decode(begun);
  const isArray = /^\s*\[/.test(text);
  const other = await otherFile(begun, text, isGzip);
  const behindFirst = text.slice(firstValue(text)?.end ?? text.length);
  const start =
    other || isArray || /\S/.test(behindFirst)
      ? begun
      : await readStart(joinStart(begun, chunks), MAX_RECORD_BYTES + 1);
  const isLarge = start.length > MAX_RECORD_BYTES;
  const fault = other ?? faultOfWhole(decoder.decode(start), isLarge, isGzip);
  if (fault) {
    yield fault;
    return;
  }
  const content = joinStart(start, chunks);
  const records = isArray ? splitArray(content) : splitLines(content);
  for await (const record of records) {
    yield 'kind' in record ? record : parseRecord(record, isGzip);
  }
}

/** The second line begins with a key. */
const OVER_LINES = /^\s*\{(?:.*[,[{])?[^\S\n]*\n\s*"/;

/**
 * Returns the fault of a source that is one JSON value around its stores, or whose stores go over several lines.
 * @param text its first value, with what follows; of a list the beginning
 * @param isLarge whether it goes on, so that its first value is more than a store may have
 */
function faultOfWhole(text: string, isLarge: boolean, isGzip: boolean): Fault | null {
  const first = firstValue(text);
  const line = text.slice(0, text.search(/\S/)).split('\n').length;
  const isArray = /^\s*\[/.test(text);
  const isAlone = isArray || (first?.end ? !/\S/.test(text.slice(first.end)) : isLarge);
  const path = isAlone ? pathToStores(first?.value) : null;
  if (path !== null) {
    const command = advise(`jq -c ${shellWord(path)}`, isGzip);
    return recordFault('wrapped_stores', line, `expected the stores alone ${command}`);
  }
  if (isAlone && isWithoutStores(first?.value)) {
    const message =
      'expected stores, got an answer without any: look at the step that fetches them';
    return recordFault('no_stores', line, message);
  }
  const isOverLines =
    text
      .slice(0, first?.end ?? 0)
      .trim()
      .includes('\n') || OVER_LINES.test(text);
  if (isArray || !isOverLines) return null;
  const command = advise('jq -c .', isGzip);
  return recordFault('store_over_lines', line, `expected each store on one line ${command}`);
}

function parseRecord(record: RawRecord, isGzip: boolean): SourceRecord | Fault {
  const { line, element, bytes, isUnended = false } = record;
  if (!bytes) {
    const message = `expected at most ${MAX_RECORD_BYTES} bytes`;
    return recordFault('record_too_large', line, message, { element });
  }
  const end = isUnended ? ': the source ends in this line, and may be cut off' : '';
  const text = decoder.decode(bytes);
  const where = {
    element,
    // Exports begin with it.
    store: /^\s*\{\s*"id"\s*:\s*"([0-9a-f]{24})"/i.exec(text)?.[1] ?? null,
    ...(isUnended ? ({ mayBeCutOff: true } as const) : {}),
  };
  /** Shows no bytes that are no text. With a NUL among them, the source as a whole is none. */
  const broken = (kind: FaultKind, message: string, value: string) =>
    bytes.includes(0)
      ? recordFault('other_file', line, 'expected text, got bytes that are none', { element })
      : recordFault(kind, line, message + end, { ...where, value: isBinary(value) ? null : value });
  if (!isUtf8(bytes)) return broken('invalid_utf8', 'expected UTF-8 text', showDamage(text));
  try {
    const value: unknown = JSON.parse(text);
    return { line, element, value, faults: textFaults(text, value) };
  } catch (error) {
    return broken('invalid_json', jsonFault(error, text, isGzip), shorten(text.trim()));
  }
}

/** Returns the faults that only `text` shows, not the JSON value that it is. */
export function textFaults(text: string, value: unknown): StoreFault[] {
  const values = ESCAPED_PART.test(text) ? [...valuesIn(value)] : [];
  // They cannot be written as UTF-8, or end where readers go by C's rules.
  const unreadable = values.filter(({ value: each }) => {
    return typeof each === 'string' && (!each.isWellFormed() || each.includes('\0'));
  });
  return [
    ...repeatedKeys(text).map((path) => textFault('duplicate_key', path, REPEATED)),
    ...unreadable.map(({ path }) => textFault('unreadable_text', path, UNREADABLE)),
  ];
}

const REPEATED = 'expected each key once: readers take the last one and lose the others';
const UNREADABLE =
  'expected no NUL and no half of a surrogate pair: many readers refuse the answer';

function textFault(kind: FaultKind, path: string, message: string): StoreFault {
  return { kind, path, value: null, message };
}

/** Text of JSON has such characters as escapes alone. */
const ESCAPED_PART = /\\u(?:0000|d[89a-f])/i;

/** What joined files, and lines of what was a list, have around a store, with the command that takes it out. */
const AROUND_STORES: readonly (readonly [form: RegExp, message: string, command: string])[] = [
  [
    /^\ufeff/,
    'expected no byte order mark but at the beginning',
    "perl -pe 's/^\\xEF\\xBB\\xBF//'",
  ],
  [/^\s*\{.*\}\s*,\s*$/s, 'expected no comma behind a store', "sed -e 's/,[[:space:]]*$//'"],
];

/**
 * Says what is wrong with a text that is no JSON: the parser's words, without its line and column, which it counts
 * within the store, and without what it quotes.
 */
function jsonFault(error: unknown, text: string, isGzip: boolean): string {
  const around = AROUND_STORES.find(([form]) => form.test(text));
  if (around) return `${around[1]}: take it out ${advise(around[2], isGzip)}`;
  const reason = messageOf(error).replace(/, (?:\.{3})?".*" is not valid JSON$/s, '');
  return `expected JSON: ${reason.replace(/ \(line \d+ column \d+\)$/, '')}`;
}

/** Returns the text around the first character that is none. */
function showDamage(text: string): string {
  return shorten(text.slice(Math.max(0, text.indexOf('\ufffd') - 20)).trim());
}
