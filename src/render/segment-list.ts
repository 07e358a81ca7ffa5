/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. The list is reused from answer to answer; nothing in it outlives `toBytes`.
 */
const encoder = new TextEncoder();

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
      bytes.set((this.sources[index] as Uint8Array).subarray(start, end), offset);
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
