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
  const scanner = new ArrayScanner();
  for await (const chunk of chunks) {
    yield* scanner.scan(chunk);
    if (scanner.isBroken) return;
  }
  yield* scanner.finish();
}

class ArrayScanner {
  /** True after a fault behind which nothing can be told. */
  isBroken = false;
  private readonly buffer = new RecordBuffer();
  private line = 1;
  /** Open brackets: 0 before and after the array, 1 between elements. */
  private depth = 0;
  private isClosed = false;
  private inString = false;
  private isEscaped = false;
  /** How many elements have begun. */
  private elements = 0;
  /** Where the current element starts; null as long as only white space was seen. */
  private elementLine: number | null = null;
  /** Whether a comma promises another element. */
  private isExpecting = false;

  *scan(chunk: Uint8Array): Generator<RawRecord | Fault> {
    let start = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (byte === NEWLINE) this.line++;
      if (this.inString || this.depth > 1) this.pass(byte);
      else if (isBlank(byte)) continue;
      else if (this.isClosed) return yield this.breakOff('expected nothing after the array');
      else if (this.depth === 0) this.depth = 1;
      else if (byte === COMMA || byte === CLOSING_BRACKET) {
        yield* this.endElement(chunk.subarray(start, index), byte);
      } else this.beginOrContinue(byte);
      // The opening bracket of the array and separators belong to no element.
      if (this.elementLine === null) start = index + 1;
    }
    if (this.elementLine !== null) this.buffer.add(chunk.subarray(start));
  }

  *finish(): Generator<RawRecord | Fault> {
    if (this.isClosed) return;
    if (this.depth > 1 || this.inString) {
      this.line = this.elementLine ?? this.line;
      yield this.breakOff('the source ends within the store that begins here', this.elements);
      return;
    }
    if (this.elementLine !== null) yield* this.takeElement(new Uint8Array());
    yield this.breakOff('expected "]": the source ends within its array');
  }

  /** Follows strings and brackets. */
  private pass(byte: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (byte === QUOTE) this.inString = !this.inString;
    else if (this.inString) this.isEscaped = byte === BACKSLASH;
    else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) this.depth++;
    else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) this.depth--;
  }

  /** Takes a byte of an element at the array's own level. */
  private beginOrContinue(byte: number): void {
    if (this.elementLine === null) this.elements++;
    this.elementLine ??= this.line;
    // A brace too many belongs to the element, and its parser will refuse it.
    if (byte !== CLOSING_BRACE) this.pass(byte);
  }

  private *endElement(last: Uint8Array, separator: number): Generator<RawRecord | Fault> {
    const isLast = separator === CLOSING_BRACKET;
    if (this.elementLine !== null) yield* this.takeElement(last);
    else if (!isLast || this.isExpecting) {
      const value = isLast ? ']' : ',';
      yield recordFault('invalid_json', this.line, 'expected a store', { value });
    }
    this.isExpecting = !isLast;
    if (isLast) {
      this.depth = 0;
      this.isClosed = true;
    }
  }

  private *takeElement(last: Uint8Array): Generator<RawRecord> {
    const bytes = this.buffer.take(last);
    yield { line: this.elementLine ?? this.line, element: this.elements, bytes };
    this.elementLine = null;
  }

  private breakOff(message: string, element: number | null = null): Fault {
    this.isBroken = true;
    return recordFault('broken_array', this.line, message, { element });
  }
}
