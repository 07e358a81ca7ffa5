/** Cuts a JSON array into its elements, without parsing them. */
import { type Fault, recordFault } from './fault.ts';
import { isBlank, type RawRecord, RecordBuffer } from './raw-record.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * The elements of the array that `chunks` hold, each with the line it starts at. Nothing but white space
 * may stand before it.
 *
 * Elements are found by counting brackets outside strings: one that is never closed swallows all
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
  /** How many elements have begun. */
  let elements = 0;
  /** Where the current element starts; null as long as only white space was seen. */
  let elementLine: number | null = null;
  /** Whether a comma promises another element. */
  let isExpecting = false;

  /** Follows strings and brackets. */
  const pass = (byte: number) => {
    if (isEscaped) isEscaped = false;
    else if (byte === QUOTE) inString = !inString;
    else if (inString) isEscaped = byte === BACKSLASH;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) depth++;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) depth--;
  };

  /** The element that ends with `last`; a fault where none has begun and one was promised; else null. */
  const endElement = (last: Uint8Array, value: string): RawRecord | Fault | null => {
    if (elementLine !== null) {
      const element = { line: elementLine, element: elements, bytes: buffer.take(last) };
      elementLine = null;
      return element;
    }
    if (value === ']' && !isExpecting) return null;
    return recordFault('invalid_json', line, 'expected a store', { value });
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (byte === NEWLINE) line++;
      if (inString || depth > 1) pass(byte);
      else if (isBlank(byte)) continue;
      else if (isClosed) {
        yield recordFault('broken_array', line, 'expected nothing after the array');
        return;
      } else if (depth === 0) depth = 1;
      else if (byte === COMMA || byte === CLOSING_BRACKET) {
        isClosed = byte === CLOSING_BRACKET;
        const element = endElement(chunk.subarray(start, index), isClosed ? ']' : ',');
        if (element) yield element;
        isExpecting = !isClosed;
      } else {
        if (elementLine === null) elements++;
        elementLine ??= line;
        // A brace too many belongs to the element, and its parser will refuse it.
        if (byte !== CLOSING_BRACE) pass(byte);
      }
      // The opening bracket of the array and separators belong to no element.
      if (elementLine === null) start = index + 1;
    }
    if (elementLine !== null) buffer.add(chunk.subarray(start));
  }
  if (isClosed) return;
  if (depth > 1 || inString) {
    const message = 'the source ends within the store that begins here';
    yield recordFault('broken_array', elementLine ?? line, message, { element: elements });
    return;
  }
  const unended = elementLine !== null && endElement(new Uint8Array(), '');
  if (unended) yield unended;
  yield recordFault('broken_array', line, 'expected "]": the source ends within its array');
}
