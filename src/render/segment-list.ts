/**
 * A body under construction: ranges of bytes in order, copied into one array at the end.
 *
 * Ranges that continue each other become one, so that an answer which is all base text costs one
 * copy a store. Short ranges are gathered in a buffer at once: making a view of each would cost more
 * than its bytes.
 */

/** Up to this many bytes a loop is faster than making a view of them. */
const MAX_SHORT = 96;

/** Bytes for the short ranges of a usual page. */
const GATHERED_BYTES = 64 * 1024;

/** Takes the ranges of one answer at a time; an isolate has one list, and uses its memory again. */
export class SegmentList {
  private readonly sources: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private count = 0;
  /** Holds short ranges and texts. */
  private gathered = new Uint8Array(GATHERED_BYTES);
  private gatheredEnd = 0;
  /** Start of what was gathered since the last range of another source. */
  private openStart = 0;

  /** Empties the list for a new answer: one that failed may have left something behind. */
  clear(): void {
    // Lets go of the chunks.
    this.sources.length = 0;
    this.count = 0;
    this.gatheredEnd = 0;
    this.openStart = 0;
  }

  /** Appends `source` from `start` up to `end`. */
  add(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length > MAX_SHORT) this.addRange(source, start, end);
    else if (length > 0) this.copy(source, start, end, this.gather(length));
  }

  /** Appends the whole of `text`, then `source` from `start` up to `end`. */
  addAfter(text: Uint8Array, source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (length > MAX_SHORT) {
      this.addBytes(text);
      this.addRange(source, start, end);
      return;
    }
    const at = this.gather(text.length + length);
    this.copy(text, 0, text.length, at);
    this.copy(source, start, end, at + text.length);
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
    const { sources, starts, ends, count } = this;
    let length = 0;
    for (let index = 0; index < count; index++) {
      length += (ends[index] as number) - (starts[index] as number);
    }
    const bytes = new Uint8Array(length);
    let offset = 0;
    for (let index = 0; index < count; index++) {
      const start = starts[index] as number;
      const end = ends[index] as number;
      bytes.set((sources[index] as Uint8Array).subarray(start, end), offset);
      offset += end - start;
    }
    this.clear();
    return bytes;
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
    const { count } = this;
    this.sources[count] = source;
    this.starts[count] = start;
    this.ends[count] = end;
    this.count = count + 1;
  }

  /** Appends so many bytes that the caller fills in, and returns where they lie in `gathered`. */
  private gather(length: number): number {
    const at = this.gatheredEnd;
    if (at + length > this.gathered.length) return this.gatherAnew(length);
    this.gatheredEnd = at + length;
    return at;
  }

  /** Copies into what was gathered, to the bytes from `target` on. */
  private copy(source: Uint8Array, start: number, end: number, target: number): void {
    const { gathered } = this;
    let at = target;
    for (let index = start; index < end; index++) gathered[at++] = source[index] as number;
  }

  /** Goes on in another buffer. The full one stays in the list until the end. */
  private gatherAnew(length: number): number {
    this.closeGathered();
    this.gathered = new Uint8Array(Math.max(GATHERED_BYTES, length));
    this.openStart = 0;
    this.gatheredEnd = length;
    return 0;
  }
}
