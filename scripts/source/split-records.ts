/** Splits the bytes of a source into its records: the lines of NDJSON, or the elements of a JSON array. */
import { type Fault, recordFault } from './fault.ts';
import { MAX_RECORD_BYTES } from './open-source.ts';

/** The bytes of one store, not yet read. */
export interface RawRecord {
  /** Where the record begins, counted from 1. */
  readonly line: number;
  /** Its number in the JSON array, counted from 1; null in NDJSON. */
  readonly element: number | null;
  /** Null when the record is longer than `MAX_RECORD_BYTES`. */
  readonly bytes: Uint8Array | null;
  /** Whether the source ends before the line does, as one that was cut off. */
  readonly isUnended?: boolean;
}

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** White space between JSON values. */
const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Collects the parts of a record that lies across several chunks. */
class RecordBuffer {
  private parts: Uint8Array[] = [];
  private length = 0;

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > MAX_RECORD_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** Takes the record that ends with `last`, null when it is too long; the buffer is empty afterwards. */
  take(last: Uint8Array): Uint8Array | null {
    this.add(last);
    const { parts, length } = this;
    this.parts = [];
    this.length = 0;
    if (length > MAX_RECORD_BYTES) return null;
    return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts, length);
  }
}

/** Returns the lines of `chunks` that are not blank. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawRecord> {
  const buffer = new RecordBuffer();
  let line = 1;
  for await (const chunk of chunks) {
    // Buffer's search runs on whole words, Uint8Array's byte by byte.
    const searched = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = searched.indexOf(NEWLINE); end !== -1; end = searched.indexOf(NEWLINE, start)) {
      const bytes = buffer.take(chunk.subarray(start, end));
      if (!bytes?.every((byte) => BLANKS.has(byte))) yield { line, element: null, bytes };
      line++;
      start = end + 1;
    }
    buffer.add(chunk.subarray(start));
  }
  const bytes = buffer.take(new Uint8Array());
  if (!bytes?.every((byte) => BLANKS.has(byte)))
    yield { line, element: null, bytes, isUnended: true };
}

/**
 * Returns the elements of the array that `chunks` hold, each with the line it starts at. Nothing but white space
 * may stand before it.
 *
 * Elements are found by counting brackets outside strings: an element that is never closed swallows all
 * that follows it, and is reported as such.
 */
export async function* splitArray(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<RawRecord | Fault> {
  const buffer = new RecordBuffer();
  let line = 1;
  /** Open brackets: 0 before the array, 1 between elements and after the last one. */
  let depth = 0;
  let isClosed = false;
  let inString = false;
  let isEscaped = false;
  /** How many elements have ended. */
  let element = 0;
  /** Where the current element starts; null as long as only white space was seen. */
  let begun: number | null = null;

  for await (const chunk of chunks) {
    /** Where what belongs to the current element starts. */
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (byte === NEWLINE) line++;
      if (isEscaped) isEscaped = false;
      else if (inString) {
        isEscaped = byte === BACKSLASH;
        inString = byte !== QUOTE;
      } else if (BLANKS.has(byte)) continue;
      else if (isClosed) {
        yield recordFault('broken_end', line, 'expected nothing after the array');
        return;
      } else if (depth === 0) {
        depth = 1;
        start = index + 1;
      } else if (depth === 1 && (byte === COMMA || byte === CLOSING_BRACKET)) {
        isClosed = byte === CLOSING_BRACKET;
        const bytes = buffer.take(chunk.subarray(start, index));
        start = index + 1;
        // An array may be empty; between commas stands a store.
        if (begun !== null || !isClosed || element > 0) {
          element++;
          yield { line: begun ?? line, element, bytes };
        }
        begun = null;
      } else {
        begun ??= line;
        if (byte === QUOTE) inString = true;
        else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth++;
        // A brace too many belongs to the element, and its parser will refuse it.
        else if (depth > 1 && (byte === CLOSING_BRACKET || byte === CLOSING_BRACE)) depth--;
      }
    }
    buffer.add(chunk.subarray(start));
  }
  if (!isClosed) {
    const message = 'expected "]": the source ends within its array';
    yield recordFault('broken_end', begun ?? line, message);
  }
}
