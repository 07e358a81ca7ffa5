/** Reads a source store by store: NDJSON or a JSON array, told apart by the first character. */
import { isUtf8 } from 'node:buffer';
import { messageOf } from '../cli/command-error.ts';
import { type Fault, type FaultKind, recordFault, type StoreFault, shorten } from './fault.ts';
import { joinStart, MAX_RECORD_BYTES, readStart } from './open-source.ts';
import { faultOfWhole, firstValue, otherFile } from './other-file.ts';
import { type RawRecord, splitArray, splitLines } from './split-records.ts';
import { isBinary, isJsonArray, scanValue, valuesIn } from './values-in.ts';

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
  let text = start.toString();
  const isArray = isJsonArray(text);
  let fault = await otherFile(start);
  if (!fault) {
    let { value, isWhole, isAlone } = firstValue(text);
    // An object may have all stores in it: so much of it is looked at as one store may have.
    if (!isArray && (isAlone || !isWhole)) {
      start = await readStart(joinStart(start, chunks), MAX_RECORD_BYTES + 1);
      text = start.toString();
      ({ value, isWhole, isAlone } = firstValue(text));
    }
    isAlone ||= isArray || (!isWhole && start.length > MAX_RECORD_BYTES);
    fault = faultOfWhole(text, value, isAlone);
  }
  if (fault) {
    const { message } = fault;
    yield isGzip ? { ...fault, message: message.replace(' FILE ', ' <(gunzip -c FILE) ') } : fault;
    return;
  }
  const content = joinStart(start, chunks);
  for await (const record of isArray ? splitArray(content) : splitLines(content)) {
    yield 'kind' in record ? record : parseRecord(record);
  }
}

/** Reads the value of a record, or tells why it is none. */
export function parseRecord(record: RawRecord): SourceRecord | Fault {
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
    message = `expected JSON: ${jsonReason(error)}`;
  }
  // With a NUL the source as a whole is none.
  if (bytes.includes(0)) {
    return recordFault('other_file', line, 'expected text, got bytes that are none', { element });
  }
  // What is around the first character that is none.
  const start = isText ? 0 : Math.max(0, text.indexOf('\ufffd') - 20);
  const shown = shorten(text.slice(start).trim());
  const more = {
    element,
    // Exports begin with it.
    store: /^\s*\{\s*"id"\s*:\s*"([0-9a-f]{24})"/i.exec(text)?.[1] ?? null,
    value: isBinary(shown) ? null : shown,
  };
  // Stores after a cut would be left out without a word.
  if (isUnended) {
    const cut = `${message}: the source ends in this line, and may be cut off`;
    return recordFault('broken_end', line, cut, more);
  }
  return recordFault(isText ? 'invalid_json' : 'invalid_utf8', line, message, more);
}

/** Returns the faults that only `text` shows, not the JSON value that it is. */
function textFaults(text: string, value: unknown): StoreFault[] {
  const { repeated } = scanValue(text, 0);
  const faults = repeated.map((path) => textFault('duplicate_key', path, REPEATED));
  if (!ESCAPED_PART.test(text)) return faults;
  for (const { path, value: each } of valuesIn(value)) {
    if (typeof each !== 'string') continue;
    // They cannot be written as UTF-8, or end where readers go by C's rules.
    if (each.isWellFormed() && !each.includes('\0')) continue;
    faults.push(textFault('unreadable_text', path, UNREADABLE));
  }
  return faults;
}

const REPEATED = 'expected each key once: readers take the last one and lose the others';
const UNREADABLE =
  'expected no NUL and no half of a surrogate pair: many readers refuse the answer';

function textFault(kind: FaultKind, path: string, message: string): StoreFault {
  return { kind, path, value: null, message };
}

/** Text of JSON has such characters as escapes alone. */
const ESCAPED_PART = /\\u(?:0000|d[89a-f])/i;

/** Returns the parser's words, without its line and column, which it counts within the store, and without what it quotes. */
function jsonReason(error: unknown): string {
  const reason = messageOf(error).replace(/, (?:\.{3})?".*" is not valid JSON$/s, '');
  return reason.replace(/ \(line \d+ column \d+\)$/, '');
}
