/** Bytes for the answers of usual pages: twice a hundred stores of 9 kB. */
const USUAL_BYTES = 2 * 1024 * 1024;

/** Up to this many bytes a loop is faster than making a view of them. */
const MAX_SHORT = 96;

/**
 * The bytes of an answer under construction. An isolate has one buffer and uses its memory again: with
 * new memory for each answer, a megabyte an answer would pile up until the next garbage collection.
 */
export class AnswerBuffer {
  private bytes = new Uint8Array(USUAL_BYTES);
  private length = 0;

  /** Empties the buffer for a new answer: an answer that failed may have left something behind. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > USUAL_BYTES) this.bytes = new Uint8Array(USUAL_BYTES);
  }

  /** Appends `source` from `start` up to `end`. */
  add(source: Uint8Array, start: number, end: number): void {
    let at = this.append(end - start);
    const { bytes } = this;
    if (end - start > MAX_SHORT) bytes.set(source.subarray(start, end), at);
    else for (let index = start; index < end; index++) bytes[at++] = source[index] as number;
  }

  addBytes(bytes: Uint8Array): void {
    this.add(bytes, 0, bytes.length);
  }

  /** Appends a short text of ASCII characters: a call of the encoder costs more than this loop. */
  addAscii(text: string): void {
    const at = this.append(text.length);
    for (let index = 0; index < text.length; index++)
      this.bytes[at + index] = text.charCodeAt(index);
  }

  /** Returns what was appended, in place: the next answer overwrites it. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  /** Makes room for so many bytes at the end, and returns where they begin. */
  private append(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(2 * this.length);
      grown.set(this.bytes.subarray(0, at));
      this.bytes = grown;
    }
    return at;
  }
}
