/** Collects the texts of a record as bytes and hands out the range of each. */
import type { Range } from './write-record.ts';

const encoder = new TextEncoder();

/** Texts are written one after another into a buffer that is reused from record to record. */
export class RecordText {
  private buffer = new Uint8Array(64 * 1024);
  private length = 0;

  /** Forgets all texts, for the next record. */
  clear(): void {
    this.length = 0;
  }

  /** Where the next text will lie. */
  get end(): number {
    return this.length;
  }

  /** Appends `text` as UTF-8 and returns where it lies. */
  append(text: string): Range {
    // A UTF-16 code unit takes three bytes of UTF-8 at the most.
    this.reserve(3 * text.length);
    const start = this.length;
    this.length += encoder.encodeInto(text, this.buffer.subarray(start)).written;
    return [start, this.length];
  }

  /** Appends what is UTF-8 already. */
  appendBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The bytes so far, valid until the next `append` or `clear`. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  private reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.bytes());
    this.buffer = larger;
  }
}
