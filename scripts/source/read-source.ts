/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../cli/command-error.ts';
import { shellWord } from '../cli/shell-word.ts';
import { repeatedKeys } from './duplicate-keys.ts';
import { type Fault, type FaultKind, recordFault, type StoreFault, shorten } from './fault.ts';
import { jqPath } from './jq-path.ts';
import { joinStart, readStart } from './open-source.ts';
import { MAX_RECORD_BYTES, type RawRecord, splitArray, splitLines } from './split-records.ts';
import { valuesIn } from './values-in.ts';

/** A JSON value of the source and the line it begins at, counted from 1. */
export interface SourceRecord {
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON. */
  readonly element: number | null;
  readonly value: unknown;
  /** What only its text shows to be wrong. */
  readonly faults: readonly StoreFault[];
}

/** Mistakes that the first four bytes show, in hexadecimal digits. */
const OTHER_BYTES = [
  {
    kind: 'other_file',
    start: /^1f8b/,
    advice: 'expected it zipped once at most, got gzip within gzip',
  },
  {
    kind: 'other_file',
    start: /^504b0304/,
    advice: 'expected NDJSON or a JSON array, got a ZIP archive, such as Excel writes',
  },
  {
    kind: 'other_file',
    start: /^d0cf11e0/,
    advice: 'expected NDJSON or a JSON array, got an Office document, such as old Excel writes',
  },
  {
    // By a byte order mark, or by the zero beside a first character that JSON may begin with.
    kind: 'utf16',
    start: /^(?:fffe|feff|00(?!00)|(?!00)..00)/,
    advice: 'expected UTF-8 text: convert it (iconv -f UTF-16 -t UTF-8)',
  },
] as const;

/** A string of JSON, with its quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may stand there as it is.
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/.source;

/** A cell of a table with what separates it from the next. */
const CELL = /(?:"[^"\n]*"|[^\s{["][^\n,;\t]*)[,;\t]/.source;

/** Mistakes that the first characters show, after white space. */
const OTHER_TEXTS = [
  {
    kind: 'other_file',
    start: /^(\s*)</,
    advice:
      'expected NDJSON or a JSON array, got a web page or XML: look at the step that fetches the export',
  },
  {
    // An object with a list of objects, without an id before that. No store has one at its top.
    kind: 'wrapped_stores',
    start: new RegExp(
      `^(\\s*)\\{(?![^[{]*"id"\\s*:)(?:[^[{"]|${STRING}|\\{(?:[^{}]|\\{[^{}]*\\})*\\}|\\[[^[\\]]*\\])*(${STRING})\\s*:\\s*\\[\\s*\\{`,
    ),
    advice: 'expected the stores alone (jq -c $1 FILE writes them so)',
  },
  {
    // The second line begins with a key. Each line would be a fault.
    kind: 'store_over_lines',
    start: /^(\s*)\{(?:.*[,[{])?[^\S\n]*\n\s*"/,
    advice: 'expected it on one line (jq -c . FILE writes it so), or stores in a JSON array',
  },
  {
    kind: 'other_file',
    start: new RegExp(`^(\\s*)${CELL}[^\\n]*\\n\\s*${CELL}`),
    advice:
      'expected one JSON object a line, got lines that begin otherwise, as those of a table (CSV) do',
  },
] as const;

/** Bytes by which one kind of file is told from another. */
const TELLING_BYTES = 65_536;

const BYTE_ORDER_MARK = /^efbbbf/;
const MARK_LENGTH = 3;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The values of a source in order, and a fault for whatever is no value.
 *
 * Memory stays that of one store, whatever the source holds. Errors of `chunks` pass through.
 */
export async function* readSource(
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<SourceRecord | Fault> {
  const marked = await readStart(chunks, TELLING_BYTES);
  const bytes = Buffer.from(marked.subarray(0, 4)).toString('hex');
  const start = BYTE_ORDER_MARK.test(bytes) ? marked.subarray(MARK_LENGTH) : marked;
  const text = decoder.decode(start);
  const fault = faultOfStart(bytes, text);
  if (fault) {
    yield fault;
    return;
  }
  const content = joinStart(start, chunks);
  const records = /^\s*\[/.test(text) ? splitArray(content) : splitLines(content);
  for await (const record of records) yield 'kind' in record ? record : parseRecord(record);
}

/** What the start of a source says of it as a whole; null: nothing. */
function faultOfStart(bytes: string, text: string): Fault | null {
  const byBytes = OTHER_BYTES.find(({ start }) => start.test(bytes));
  if (byBytes) return recordFault(byBytes.kind, 1, byBytes.advice);
  for (const { kind, start, advice } of OTHER_TEXTS) {
    const [, blank, key = '""'] = start.exec(text) ?? [];
    if (blank === undefined) continue;
    const line = blank.split('\n').length;
    const stores = () => shellWord(`${jqPath(JSON.parse(key))}[]`);
    return recordFault(kind, line, advice.replace('$1', stores));
  }
  return null;
}

function parseRecord({ line, element, bytes, isUnended = false }: RawRecord): SourceRecord | Fault {
  if (!bytes) {
    const message = `expected at most ${MAX_RECORD_BYTES} bytes`;
    return recordFault('record_too_large', line, message, { element });
  }
  const end = isUnended ? ': the source ends in this line, and may be cut off' : '';
  const text = decoder.decode(bytes);
  const where = {
    ...{ element, store: firstId(text) },
    ...(isUnended ? ({ mayBeCutOff: true } as const) : {}),
  };
  if (!isUtf8(bytes)) {
    const more = { ...where, value: showDamage(text) };
    return recordFault('invalid_utf8', line, `expected UTF-8 text${end}`, more);
  }
  try {
    const value: unknown = JSON.parse(text);
    return { line, element, value, faults: textFaults(text, value) };
  } catch (error) {
    const more = { ...where, value: shorten(text.trim()) };
    return recordFault('invalid_json', line, jsonFault(error) + end, more);
  }
}

/** The faults that only `text` shows, not the JSON value that it is. */
export function textFaults(text: string, value: unknown): StoreFault[] {
  const values = ESCAPED_PART.test(text) ? [...valuesIn(value)] : [];
  const unreadable = values.filter((each) => isUnreadable(each.value));
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

/** Whether a value is a text that cannot be written as UTF-8, or ends where readers go by C's rules. */
function isUnreadable(value: unknown): boolean {
  return typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'));
}

/** The parser's words, without its line and column: it counts them within the store. */
function jsonFault(error: unknown): string {
  const reason = messageOf(error);
  return `expected JSON: ${reason.replace(/ \(line \d+ column \d+\)$/, '')}`;
}

/** The id of a store that is no JSON, if it begins with it as exports do. */
function firstId(text: string): string | null {
  return /^\s*\{\s*"id"\s*:\s*"([0-9a-f]{24})"/i.exec(text)?.[1] ?? null;
}

/** The text around the first character that is none. */
function showDamage(text: string): string {
  return shorten(text.slice(Math.max(0, text.indexOf('\ufffd') - 20)).trim());
}
