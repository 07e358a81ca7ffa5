/**
 * The parts `terms/…`: which stores have each of the words that a field may have. Of w words, which
 * have l code units of UTF-16 in all, and of which stores have m in all:
 *
 *     section  content
 *     0        text       u16 × l, the words one after another, ascending by code unit
 *     1        textEnds   u32 × w, where each word ends in `text`
 *     2        storeEnds  u32 × w, where the stores of each word end in `stores`
 *     3        stores     u32 × m, ordinals, ascending within a word
 */
import { ColumnFile, endsOf, expectEnds, writeColumnFile } from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';
import { lowerBound } from './lower-bound.ts';

const SECTION_COUNT = 4;

/** Writes a part of the words of each store, in ordinal order. */
export function writeTerms(stores: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const lists = new Map<string, number[]>();
  stores.forEach((words, store) => {
    for (const word of new Set(words)) {
      const list = lists.get(word);
      if (list) list.push(store);
      else lists.set(word, [store]);
    }
  });
  const words = [...lists.keys()].sort();
  const ordinals = words.map((word) => lists.get(word) as number[]);
  const text = words.join('');
  return writeColumnFile([
    Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
    endsOf(words),
    endsOf(ordinals),
    Uint32Array.from(ordinals.flat()),
  ]);
}

/** Reads such a part in place. Words are made when they are asked for: a part may have a million. */
export class TermTable {
  /** How many words there are. They are numbered in ascending order of their code units. */
  readonly count: number;
  private readonly text: Uint16Array;
  private readonly textEnds: Uint32Array;
  private readonly storeEnds: Uint32Array;
  private readonly ordinals: Uint32Array;

  /** Checks the layout and the bounds of ends and ordinals. @throws SnapshotFormatError */
  constructor(name: string, buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile(name, buffer, SECTION_COUNT);
    this.text = file.u16(0, file.countOf(0, Uint16Array.BYTES_PER_ELEMENT));
    this.textEnds = file.u32(1, file.countOf(1, Uint32Array.BYTES_PER_ELEMENT));
    this.count = this.textEnds.length;
    this.storeEnds = file.u32(2, this.count);
    this.ordinals = file.u32(3, file.countOf(3, Uint32Array.BYTES_PER_ELEMENT));
    expectEnds(name, this.textEnds, this.text.length);
    expectEnds(name, this.storeEnds, this.ordinals.length);
    // Not by `some`: in a fresh isolate a million calls take 20 ms.
    for (let index = 0; index < this.ordinals.length; index++) {
      if ((this.ordinals[index] as number) < storeCount) continue;
      throw new SnapshotFormatError(`${name}: a word names a store of ${storeCount} that is none`);
    }
  }

  word(number: number): string {
    const start = this.textEnds[number - 1] ?? 0;
    return String.fromCharCode(...this.text.subarray(start, this.textEnds[number]));
  }

  /** The words that begin with `beginning`: the number of the first, and that after the last. */
  startingWith(beginning: string): readonly [first: number, end: number] {
    const first = lowerBound(this.count, (number) => this.compare(number, beginning) < 0);
    const length = lowerBound(
      this.count - first,
      (number) => this.compare(first + number, beginning) === 0,
    );
    return [first, first + length];
  }

  /** Below 0 for words before those that begin with `beginning`, 0 for these, above 0 for later ones. */
  private compare(number: number, beginning: string): number {
    const start = this.textEnds[number - 1] ?? 0;
    const length = (this.textEnds[number] as number) - start;
    for (let index = 0; index < beginning.length; index++) {
      if (index === length) return -1;
      const difference = (this.text[start + index] as number) - beginning.charCodeAt(index);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Ordinals of the stores that have some words, ascending within a word. */
  stores(first: number, end = first + 1): Uint32Array {
    return this.ordinals.subarray(this.storeEnds[first - 1] ?? 0, this.storeEnds[end - 1] ?? 0);
  }
}
