/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. The list is reused from answer to answer; nothing in it outlives `toBytes`.
 */
/** Up to this many bytes a loop is quicker than making a view of them. */
const SHORT = 32;

/** Room for the texts of a page. */
const TEXT_BYTES = 8 * 1024;

export class SegmentList {
  private readonly sources: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;
  /** What `addAscii` has written. */
  private texts = new Uint8Array(TEXT_BYTES);
  private textEnd = 0;

  /** Appends `source` from `start` up to `end`. */
  add(source: Uint8Array, start: number, end: number): void {
    if (start === end) return;
    const last = this.count - 1;
    if (last >= 0 && this.ends[last] === start && this.sources[last] === source) {
      this.ends[last] = end;
      return;
    }
    this.sources[this.count] = source;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  addBytes(bytes: Uint8Array): void {
    this.add(bytes, 0, bytes.length);
  }

  /** Appends a short text of ASCII characters: a call of the encoder costs more than this loop. */
  addAscii(text: string): void {
    if (this.textEnd + text.length > this.texts.length) {
      this.texts = new Uint8Array(Math.max(TEXT_BYTES, text.length));
      this.textEnd = 0;
    }
    const start = this.textEnd;
    for (let index = 0; index < text.length; index++) {
      this.texts[start + index] = text.charCodeAt(index);
    }
    this.textEnd = start + text.length;
    this.add(this.texts, start, this.textEnd);
  }

  /** All ranges copied into a new array; the list is empty afterwards. */
  toBytes(): Uint8Array<ArrayBuffer> {
    let length = 0;
    for (let index = 0; index < this.count; index++) {
      length += (this.ends[index] as number) - (this.starts[index] as number);
    }
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (let index = 0; index < this.count; index++) {
      const start = this.starts[index] as number;
      const end = this.ends[index] as number;
      copy(this.sources[index] as Uint8Array, start, end, bytes, offset);
      offset += end - start;
    }
    this.clear();
    this.textEnd = 0;
    return bytes;
  }

  /** Empties the list and lets go of the chunks it refers to. */
  clear(): void {
    this.sources.length = 0;
    this.count = 0;
  }
}

function copy(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  if (end - start > SHORT) {
    target.set(source.subarray(start, end), at);
    return;
  }
  for (let from = start; from < end; from++) target[at++] = source[from] as number;
}
