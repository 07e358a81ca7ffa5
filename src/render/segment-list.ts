/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. The list is reused from answer to answer; nothing in it outlives `toBytes`.
 */
const encoder = new TextEncoder();

/** Up to this many bytes a loop is quicker than making a view of them. */
const SHORT = 32;

export class SegmentList {
  private readonly sources: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;

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

  addText(text: string): void {
    this.addBytes(encoder.encode(text));
  }

  /** All ranges as one: where it lies if it is only one, else a copy. The list is empty afterwards. */
  takeWhole(): { readonly source: Uint8Array; readonly start: number } {
    if (this.count !== 1) return { source: this.toBytes(), start: 0 };
    const whole = { source: this.sources[0] as Uint8Array, start: this.starts[0] as number };
    this.clear();
    return whole;
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
