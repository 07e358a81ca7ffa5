/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { messageOf } from '../cli/describe-error.ts';
import { repeatedKeys } from './duplicate-keys.ts';
import { type Fault, recordFault, shorten } from './fault.ts';
import { joinStart, readStart } from './open-source.ts';
import { isBlank, MAX_RECORD_BYTES, type RawRecord } from './raw-record.ts';
import { splitArray } from './split-array.ts';
import { splitLines } from './split-lines.ts';

/** A JSON value of the source and the line it begins at, counted from 1. */
export interface SourceRecord {
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON. */
  readonly element: number | null;
  readonly value: unknown;
  /** Paths of keys that an object of it has twice. */
  readonly repeatedKeys: readonly string[];
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
const OPENING_BRACKET = 0x5b;
const OPENING_BRACE = 0x7b;
const QUOTE = 0x22;
const NEWLINE = 0x0a;

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The values of a source in order, and a fault for whatever is no value.
 *
 * Memory stays that of one store, whatever the source holds. Errors of `chunks` pass through.
 */
export async function* readSource(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceRecord | Fault> {
  const { content, line, isArray, isUtf16 } = await findContent(passOn(chunks));
  if (isUtf16) {
    const advice = 'expected UTF-8 text: convert it (iconv -f UTF-16 -t UTF-8)';
    yield recordFault('utf16', 1, advice);
  } else if (isArray) {
    for await (const record of splitArray(content, line)) {
      yield 'kind' in record ? record : parseRecord(record);
    }
  } else yield* readLines(splitLines(content, line));
}

/**
 * One store a line. A store that is laid out over several lines would make a fault of each of them:
 * it is told by its second line, which begins with a key, and nothing is read further.
 */
async function* readLines(lines: AsyncGenerator<RawRecord>): AsyncGenerator<SourceRecord | Fault> {
  const start: RawRecord[] = [];
  while (start.length < 2) {
    const next = await lines.next();
    if (next.done) break;
    start.push(next.value);
  }
  const [first, second] = start;
  if (first && second && isLaidOut(first, second)) {
    const advice = 'expected it on one line (jq -c . FILE writes it so), or stores in a JSON array';
    yield recordFault('store_over_lines', first.line, advice);
    return;
  }
  for (const line of start) yield parseRecord(line);
  for await (const line of lines) yield parseRecord(line);
}

function isLaidOut(first: RawRecord, second: RawRecord): boolean {
  const isPart = beginsWith(first, OPENING_BRACE) && beginsWith(second, QUOTE);
  return isPart && 'kind' in parseRecord(first);
}

function beginsWith({ bytes }: RawRecord, byte: number): boolean {
  return bytes?.find((each) => !isBlank(each)) === byte;
}

async function* passOn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** Passes over a byte order mark and white space. */
async function findContent(chunks: AsyncGenerator<Uint8Array>) {
  const { start, rest } = await readStart(chunks, BYTE_ORDER_MARK.length);
  if (isUtf16Text(start)) return { content: rest, line: 1, isArray: false, isUtf16: true };
  const isMarked = BYTE_ORDER_MARK.every((byte, index) => start[index] === byte);
  let line = 1;
  let chunk: Uint8Array | undefined = isMarked ? start.subarray(BYTE_ORDER_MARK.length) : start;
  while (chunk) {
    const first = chunk.findIndex((byte) => !isBlank(byte));
    const blanks = first === -1 ? chunk : chunk.subarray(0, first);
    line += blanks.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    if (first !== -1) {
      const content = joinStart(chunk.subarray(first), rest);
      return { content, line, isArray: chunk[first] === OPENING_BRACKET, isUtf16: false };
    }
    const next = await rest.next();
    chunk = next.done ? undefined : next.value;
  }
  return { content: rest, line, isArray: false, isUtf16: false };
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
    return { line, element, value, repeatedKeys: repeatedKeys(text, value) };
  } catch (error) {
    const more = { element, store: firstId(text), value: shorten(text.trim()), ...cut };
    return recordFault('invalid_json', line, jsonFault(error) + end, more);
  }
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
