/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { messageOf } from '../cli/describe-error.ts';
import { repeatedKeys } from './duplicate-keys.ts';
import { type Fault, recordFault, type StoreFault, shorten } from './fault.ts';
import { joinStart, readStart } from './open-source.ts';
import { isBlank, MAX_RECORD_BYTES, type RawRecord, splitLines } from './raw-record.ts';
import { splitArray } from './split-array.ts';

/** A JSON value of the source and the line it begins at, counted from 1. */
export interface SourceRecord {
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON. */
  readonly element: number | null;
  readonly value: unknown;
  /** What only its text shows to be wrong. */
  readonly faults: readonly StoreFault[];
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const OPENING_ANGLE = 0x3c;
const QUOTE = 0x22;

/** Files that are taken for exports by mistake, told by their first bytes. */
const OTHER_FILES = [
  { start: [0x1f, 0x8b], advice: 'expected it zipped once at most, got gzip within gzip' },
  {
    start: [0x50, 0x4b, 0x03, 0x04],
    advice: 'expected NDJSON or a JSON array, got a ZIP archive, such as Excel writes',
  },
  {
    start: [0xd0, 0xcf, 0x11, 0xe0],
    advice: 'expected NDJSON or a JSON array, got an Office document, such as old Excel writes',
  },
] as const;

const WEB_PAGE =
  'expected NDJSON or a JSON array, got a web page or XML: look at the step that fetches the export';

const TABLE =
  'expected one JSON object a line, got lines that begin otherwise, as those of a table (CSV) do';

/** First bytes that tell one kind of file from another. */
const TELLING_BYTES = 4;
const NEWLINE = 0x0a;

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The values of a source in order, and a fault for whatever is no value.
 *
 * Memory stays that of one store, whatever the source holds. Errors of `chunks` pass through.
 */
export async function* readSource(
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<SourceRecord | Fault> {
  const start = await readStart(chunks, TELLING_BYTES);
  const fault = faultOfBytes(start);
  if (fault) {
    yield fault;
    return;
  }
  const { content, line, first } = await passBlanks(joinStart(withoutMark(start), chunks));
  if (first === OPENING_ANGLE) yield recordFault('other_file', line, WEB_PAGE);
  else if (first === OPENING_BRACKET) {
    for await (const record of splitArray(content, line)) {
      yield 'kind' in record ? record : parseRecord(record);
    }
  } else yield* readLines(splitLines(content, line));
}

/** What follows the white space that `chunks` begin with, the line it begins at, and its first byte. */
async function passBlanks(chunks: AsyncGenerator<Uint8Array>) {
  let line = 1;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    const begin = next.value.findIndex((byte) => !isBlank(byte));
    const blanks = begin === -1 ? next.value : next.value.subarray(0, begin);
    line += blanks.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    if (begin === -1) continue;
    const content = joinStart(next.value.subarray(begin), chunks);
    return { content, line, first: next.value[begin] };
  }
  return { content: chunks, line };
}

/**
 * One store a line. A store that is laid out over several lines would make a fault of each of them:
 * it is told by its second line, which begins with a key, and nothing is read further.
 */
async function* readLines(
  lines: AsyncGenerator<RawRecord, undefined>,
): AsyncGenerator<SourceRecord | Fault> {
  const both = [(await lines.next()).value, (await lines.next()).value];
  const start = both.filter((line) => line !== undefined);
  const fault = faultOfLines(start);
  if (fault) {
    yield fault;
    return;
  }
  for (const line of start) yield parseRecord(line);
  for await (const line of lines) yield parseRecord(line);
}

/** What the first two lines say of the source as a whole; null: nothing. */
function faultOfLines([first, second]: readonly RawRecord[]): Fault | null {
  if (!first) return null;
  const record = parseRecord(first);
  if (!second) return 'kind' in record ? null : faultOfWrapper(record);
  const isNoStore = (line: RawRecord) => {
    return firstByte(line.bytes) !== OPENING_BRACE && 'kind' in parseRecord(line);
  };
  if (isNoStore(first) && isNoStore(second)) return recordFault('other_file', first.line, TABLE);
  const isLaidOut = firstByte(first.bytes) === OPENING_BRACE && firstByte(second.bytes) === QUOTE;
  if (!isLaidOut || !('kind' in record)) return null;
  const advice = 'expected it on one line (jq -c . FILE writes it so), or stores in a JSON array';
  return recordFault('store_over_lines', first.line, advice);
}

/** Of an object that is no store, for it holds some: `{"stores":[…]}`. */
function faultOfWrapper({ line, value }: SourceRecord): Fault | null {
  if (typeof value !== 'object' || value === null || 'id' in value) return null;
  const holds = ([, each]: [string, unknown]) =>
    Array.isArray(each) && typeof each[0] === 'object' && each[0] !== null && 'id' in each[0];
  const [name] = Object.entries(value).find(holds) ?? [];
  if (name === undefined) return null;
  const advice = `expected the stores alone (jq -c '.${shorten(name)}[]' FILE writes them so)`;
  return recordFault('wrapped_stores', line, advice);
}

/** The first byte that is no white space. */
function firstByte(bytes: Uint8Array | null): number | undefined {
  return bytes?.find((byte) => !isBlank(byte));
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  return isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

/** What the first bytes say of the source as a whole; null: nothing. */
function faultOfBytes(bytes: Uint8Array): Fault | null {
  const other = OTHER_FILES.find(({ start }) => start.every((byte, at) => bytes[at] === byte));
  if (other) return recordFault('other_file', 1, other.advice);
  if (!isUtf16Text(bytes)) return null;
  return recordFault('utf16', 1, 'expected UTF-8 text: convert it (iconv -f UTF-16 -t UTF-8)');
}

/** Told by a byte order mark, or by the zero beside a first character that JSON may begin with. */
function isUtf16Text([first, second]: Uint8Array): boolean {
  if (first === 0xff || first === 0xfe) return first + (second ?? 0) === 0xff + 0xfe;
  return (first === 0) !== (second === 0);
}

function parseRecord({ line, element, bytes, isUnended = false }: RawRecord): SourceRecord | Fault {
  if (!bytes) {
    const message = `expected at most ${MAX_RECORD_BYTES} bytes`;
    return recordFault('record_too_large', line, message, { element });
  }
  const end = isUnended ? ': the source ends in this line, and may be cut off' : '';
  const cut = isUnended ? ({ mayBeCutOff: true } as const) : {};
  let text: string;
  try {
    text = strictDecoder.decode(bytes);
  } catch {
    const damaged = lenientDecoder.decode(bytes);
    const more = { element, store: firstId(damaged), value: showDamage(damaged), ...cut };
    return recordFault('invalid_utf8', line, `expected UTF-8 text${end}`, more);
  }
  try {
    const value: unknown = JSON.parse(text);
    const unreadable = ESCAPED_PART.test(text) ? findUnreadable(value) : [];
    const faults = [...repeatedKeys(text).map(repeatedKey), ...unreadable.map(unreadableText)];
    return { line, element, value, faults };
  } catch (error) {
    const more = { element, store: firstId(text), value: shorten(text.trim()), ...cut };
    return recordFault('invalid_json', line, jsonFault(error) + end, more);
  }
}

function repeatedKey(path: string): StoreFault {
  const message = 'expected each key once: readers take the last one and lose the others';
  return { kind: 'duplicate_key', path, value: null, message };
}

function unreadableText(path: string): StoreFault {
  const message = 'expected no NUL and no half of a surrogate pair: many readers refuse the answer';
  return { kind: 'unreadable_text', path, value: null, message };
}

/** Text of JSON has such characters as escapes alone. */
const ESCAPED_PART = /\\u(?:0000|d[89a-f])/i;

/** Paths of the texts that cannot be written as UTF-8, or that end where readers go by C's rules. */
function findUnreadable(record: unknown): string[] {
  const paths: string[] = [];
  const left: [path: string, value: unknown][] = [['', record]];
  for (const [path, value] of left) {
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) paths.push(path);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, each] of Object.entries(value)) {
        left.push([path === '' ? key : `${path}.${key}`, each]);
      }
    }
  }
  return paths;
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
