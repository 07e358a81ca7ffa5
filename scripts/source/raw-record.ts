/** The bytes of one store as a source holds it, put together from chunks, and the lines of NDJSON. */

/** A store of more bytes than this is a fault of the source: reading holds one store in memory. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

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

const BLANKS = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Whether `byte` is white space between JSON values. */
export function isBlank(byte: number): boolean {
  return BLANKS.has(byte);
}

/** Collects the parts of a record that lies across several chunks. */
export class RecordBuffer {
  private parts: Uint8Array[] = [];
  private length = 0;

  add(part: Uint8Array): void {
    this.length += part.length;
    if (this.length > MAX_RECORD_BYTES) this.parts = [];
    else if (part.length > 0) this.parts.push(part);
  }

  /** The record that ends with `last`, null when it is too long; the buffer is empty afterwards. */
  take(last: Uint8Array): Uint8Array | null {
    this.add(last);
    const { parts, length } = this;
    this.parts = [];
    this.length = 0;
    if (length > MAX_RECORD_BYTES) return null;
    return parts.length === 1 ? (parts[0] ?? null) : Buffer.concat(parts, length);
  }
}

const NEWLINE = 0x0a;

/** The lines of `chunks` that are not blank. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawRecord> {
  const buffer = new RecordBuffer();
  let line = 1;
  for await (const chunk of chunks) {
    // Buffer's search runs on whole words, Uint8Array's byte by byte.
    const searched = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    for (let end = searched.indexOf(NEWLINE); end !== -1; end = searched.indexOf(NEWLINE, start)) {
      const bytes = buffer.take(chunk.subarray(start, end));
      if (!bytes?.every(isBlank)) yield { line, element: null, bytes };
      line++;
      start = end + 1;
    }
    buffer.add(chunk.subarray(start));
  }
  const bytes = buffer.take(new Uint8Array());
  if (!bytes?.every(isBlank)) yield { line, element: null, bytes, isUnended: true };
}
