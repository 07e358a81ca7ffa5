/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. Short ranges are gathered in a buffer at once: making a view of each would cost more
 * than its bytes. The list is reused from answer to answer; nothing in it outlives `toBytes`.
 */

/** Up to this many bytes a loop is quicker than making a view of them. */
const SHORT = 96;

/** Room for the short ranges of a usual page. */
const GATHERED_BYTES = 64 * 1024;

class SegmentList {
  private readonly sources: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;
  /** Takes short ranges and texts. */
  private gathered = new Uint8Array(GATHERED_BYTES);
  private gatheredEnd = 0;
  /** Start of what was gathered since the last range of another source. */
  private openStart = 0;

  /** Appends `source` from `start` up to `end`. */
  add(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length > SHORT) this.addRange(source, start, end);
    else if (length > 0) {
      let at = this.gather(length);
      const { gathered } = this;
      for (let index = start; index < end; index++) gathered[at++] = source[index] as number;
    }
  }

  /** Appends the whole of `text`, then `source` from `start` up to `end`. */
  addAfter(text: Uint8Array, source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length > SHORT) {
      this.addBytes(text);
      this.addRange(source, start, end);
      return;
    }
    let at = this.gather(text.length + length);
    const { gathered } = this;
    for (let index = 0; index < text.length; index++) gathered[at++] = text[index] as number;
    for (let index = start; index < end; index++) gathered[at++] = source[index] as number;
  }

  addBytes(bytes: Uint8Array): void {
    this.add(bytes, 0, bytes.length);
  }

  /** Appends a short text of ASCII characters: a call of the encoder costs more than this loop. */
  addAscii(text: string): void {
    const at = this.gather(text.length);
    for (let index = 0; index < text.length; index++) {
      this.gathered[at + index] = text.charCodeAt(index);
    }
  }

  /** Copies all ranges into a new array, and empties the list. */
  toBytes(): Uint8Array<ArrayBuffer> {
    this.closeGathered();
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

  /** Empties the list, which `toBytes` does too, and lets go of the chunks it refers to. */
  clear(): void {
    this.sources.length = 0;
    this.count = 0;
    this.gatheredEnd = 0;
    this.openStart = 0;
  }

  private addRange(source: Uint8Array, start: number, end: number): void {
    this.closeGathered();
    const last = this.count - 1;
    if (last >= 0 && this.ends[last] === start && this.sources[last] === source) {
      this.ends[last] = end;
    } else this.push(source, start, end);
  }

  /** Makes a range of what was gathered since the last one. */
  private closeGathered(): void {
    if (this.openStart === this.gatheredEnd) return;
    this.push(this.gathered, this.openStart, this.gatheredEnd);
    this.openStart = this.gatheredEnd;
  }

  private push(source: Uint8Array, start: number, end: number): void {
    this.sources[this.count] = source;
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.count++;
  }

  /** Appends so many bytes that the caller fills in, and returns where they lie in `gathered`. */
  private gather(length: number): number {
    const at = this.gatheredEnd;
    if (at + length > this.gathered.length) return this.gatherAnew(length);
    this.gatheredEnd = at + length;
    return at;
  }

  /** The full buffer stays in the list until the end; another takes its place for good. */
  private gatherAnew(length: number): number {
    this.closeGathered();
    this.gathered = new Uint8Array(Math.max(GATHERED_BYTES, length));
    this.openStart = 0;
    this.gatheredEnd = length;
    return 0;
  }
}

/** Shared by all answers of an isolate: it is filled and emptied without waiting in between. */
export const segments = new SegmentList();
