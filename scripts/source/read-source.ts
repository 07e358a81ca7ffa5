/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../cli/command-error.ts';
import { type Fault, type FaultKind, recordFault, type StoreFault, shorten } from './fault.ts';
import { joinStart, MAX_RECORD_BYTES, readStart } from './open-source.ts';
import { advise, faultOfWhole, otherFile } from './other-file.ts';
import { type RawRecord, splitArray, splitLines } from './split-records.ts';
import { isBinary, isJsonArray, scanValue, tryParse, valuesIn } from './values-in.ts';

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

const BYTE_ORDER_MARK = '\ufeff';

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
  const hasMark = marked.indexOf(BYTE_ORDER_MARK) === 0;
  let start = marked.subarray(hasMark ? Buffer.byteLength(BYTE_ORDER_MARK) : 0);
  const text = start.toString();
  if (!areLinesOfJson(text)) {
    const other = await otherFile(start, text, isGzip);
    // An object may have all stores in it: so much of it is looked at as one store may have.
    if (!other && !isJsonArray(text)) {
      start = await readStart(joinStart(start, chunks), MAX_RECORD_BYTES + 1);
    }
    const fault = other ?? faultOfWhole(start, isGzip);
    if (fault) {
      yield fault;
      return;
    }
  }
  const content = joinStart(start, chunks);
  const records = isJsonArray(text) ? splitArray(content) : splitLines(content);
  for await (const record of records) {
    yield 'kind' in record ? record : parseRecord(record, isGzip);
  }
}

/** An object on a line of its own, and what begins on another line. */
const OBJECT_ON_LINE = /^\s*(\{.*\})[^\S\n]*\n\s*\S/;

/** Returns whether a text surely is the beginning of NDJSON: as good exports are, which need no further look. */
function areLinesOfJson(text: string): boolean {
  const [, first = ''] = OBJECT_ON_LINE.exec(text) ?? [];
  return tryParse(first) !== undefined && !isBinary(text);
}

function parseRecord(record: RawRecord, isGzip: boolean): SourceRecord | Fault {
  const { line, element, bytes, isUnended } = record;
  if (!bytes) {
    const message = `expected at most ${MAX_RECORD_BYTES} bytes`;
    return recordFault('record_too_large', line, message, { element });
  }
  const text = decoder.decode(bytes);
  const isText = isUtf8(bytes);
  let message = 'expected UTF-8 text';
  try {
    if (isText) {
      const value: unknown = JSON.parse(text);
      return { line, element, value, faults: textFaults(text, value) };
    }
  } catch (error) {
    message = jsonFault(error, text, isGzip);
  }
  // With a NUL the source as a whole is none.
  if (bytes.includes(0)) {
    return recordFault('other_file', line, 'expected text, got bytes that are none', { element });
  }
  if (isUnended) message += ': the source ends in this line, and may be cut off';
  // What is around the first character that is none.
  const start = isText ? 0 : Math.max(0, text.indexOf('\ufffd') - 20);
  const shown = shorten(text.slice(start).trim());
  return recordFault(isText ? 'invalid_json' : 'invalid_utf8', line, message, {
    element,
    // Exports begin with it.
    store: /^\s*\{\s*"id"\s*:\s*"([0-9a-f]{24})"/i.exec(text)?.[1] ?? null,
    value: isBinary(shown) ? null : shown,
    ...(isUnended ? { mayBeCutOff: true } : {}),
  });
}

/** Returns the faults that only `text` shows, not the JSON value that it is. */
export function textFaults(text: string, value: unknown): StoreFault[] {
  const values = ESCAPED_PART.test(text) ? [...valuesIn(value)] : [];
  // They cannot be written as UTF-8, or end where readers go by C's rules.
  const unreadable = values.filter(({ value: each }) => {
    return typeof each === 'string' && (!each.isWellFormed() || each.includes('\0'));
  });
  return [
    ...scanValue(text, 0).repeated.map((path) => textFault('duplicate_key', path, REPEATED)),
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
