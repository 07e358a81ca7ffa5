/**
 * The parts `words/…`, which `q` searches: which stores have each of the words of names, or of towns and
 * postcodes. Words come in the order of their code units of UTF-16, sixteen of them in a block:
 *
 *     section  content
 *     0        starts   u32 × (1 + blocks): the number of words, then where each block begins in `entries`
 *     1        entries  one for each word
 *
 * An entry is a row of numbers, each in groups of seven bits, the lowest first, with the top bit of
 * every byte but the last (LEB128):
 *
 *     shared   code units that the word has in common with the one before it; 0 in a block's first
 *     rest     how many others follow
 *     units    those, a number each
 *     bytes    how long the rest of the entry is
 *     stores   ordinals, ascending: the first plus one, then the distance of each from the one before
 *
 * Most words are the words of one store, so that ends and ordinals of four bytes each would be most of the
 * part; and each part is uploaded anew whenever a store is added.
 */
import {
  type ColumnFile,
  columnPart,
  expectEqual,
  lowerBound,
  type Part,
  writeColumnFile,
} from './column-file.ts';

const BLOCK = 16;
const GROUP_BITS = 7;
const MORE = 1 << GROUP_BITS;

/** Comes after every code unit of a letter or digit. */
const AFTER_LETTERS = '\uffff';

/** What has such a part: the folded words of names, and of towns and postcodes. */
export const WORD_FIELDS = ['names', 'places'] as const;

export type WordField = (typeof WORD_FIELDS)[number];

/** Returns the part with the words of a field. */
export function wordsPart(field: WordField): Part<WordTable> {
  return columnPart(`words/${field}`, 2, (file) => new WordTable(file));
}

/** Writes a part of the words of each store, in ordinal order. */
export function writeWords(stores: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const lists = new Map<string, number[]>();
  stores.forEach((words, store) => {
    for (const word of new Set(words)) {
      const list = lists.get(word);
      if (list) list.push(store);
      else lists.set(word, [store]);
    }
  });
  const starts = [lists.size];
  const entries: number[] = [];
  let before = '';
  for (const [number, word] of [...lists.keys()].sort().entries()) {
    if (number % BLOCK === 0) {
      starts.push(entries.length);
      before = '';
    }
    const shared = sharedLength(before, word);
    writeNumbers(entries, [shared, word.length - shared]);
    writeNumbers(
      entries,
      Array.from({ length: word.length - shared }, (_, at) => word.charCodeAt(shared + at)),
    );
    const list = lists.get(word) as number[];
    const steps: number[] = [];
    writeNumbers(
      steps,
      list.map((store, index) => store - (list[index - 1] ?? -1)),
    );
    writeNumbers(entries, [steps.length]);
    for (const byte of steps) entries.push(byte);
    before = word;
  }
  return writeColumnFile([Uint32Array.from(starts), Uint8Array.from(entries)]);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function writeNumbers(target: number[], numbers: readonly number[]): void {
  for (const number of numbers) {
    let rest = number;
    for (; rest >= MORE; rest >>>= GROUP_BITS) target.push((rest & (MORE - 1)) | MORE);
    target.push(rest);
  }
}

/** Reads such a part in place: words and stores are read when they are asked for. */
export class WordTable {
  /** How many words there are. They are numbered in their order. */
  readonly count: number;
  private readonly starts: Uint32Array;
  private readonly entries: Uint8Array;
  /** Where the next number is read. */
  private offset = 0;
  /** The entry that was read last: its number, its code units, and where its ordinals lie. */
  private number = -1;
  private readonly units: number[] = [];
  private listStart = 0;
  private listEnd = 0;

  /** Checks the layout. @throws SnapshotFormatError */
  constructor(file: ColumnFile) {
    const numbers = file.u32(0);
    this.count = numbers[0] ?? 0;
    this.starts = numbers.subarray(1);
    expectEqual(`${file.name} blocks`, this.starts.length, Math.ceil(this.count / BLOCK));
    this.entries = file.u8(1);
  }

  word(number: number): string {
    this.seek(number);
    return String.fromCharCode(...this.units);
  }

  /** Returns the words that begin with `beginning`: the number of the first, and the number after the last. */
  startingWith(beginning: string): readonly [first: number, end: number] {
    return [this.countBefore(beginning), this.countBefore(beginning + AFTER_LETTERS)];
  }

  /** Sets `bit` in the mark of each store that has a word. */
  mark(number: number, marks: Uint8Array, bit: number): void {
    this.seek(number);
    const { entries, listEnd } = this;
    let [store, step, shift] = [-1, 0, 0];
    for (let offset = this.listStart; offset < listEnd; offset++) {
      const byte = entries[offset] as number;
      step |= (byte & (MORE - 1)) << shift;
      shift += GROUP_BITS;
      if (byte >= MORE) continue;
      store += step;
      marks[store] = (marks[store] as number) | bit;
      step = 0;
      shift = 0;
    }
  }

  /** Counts the words that come before a text. */
  private countBefore(text: string): number {
    const blocks = lowerBound(this.starts.length, (block) => this.isBefore(block * BLOCK, text));
    let number = Math.max(0, blocks - 1) * BLOCK;
    while (number < Math.min(blocks * BLOCK, this.count) && this.isBefore(number, text)) number++;
    return number;
  }

  /** Returns whether a word comes before a text: `word(number) < text`, without a string of the word. */
  private isBefore(number: number, text: string): boolean {
    this.seek(number);
    const { units } = this;
    let index = 0;
    while (index < text.length && units[index] === text.charCodeAt(index)) index++;
    return index < text.length && (units[index] ?? -1) < text.charCodeAt(index);
  }

  /** Reads the entry of a word, after those that come before it in its block. */
  private seek(number: number): void {
    if (number === this.number) return;
    const first = number - (number % BLOCK);
    const isNext = number === this.number + 1 && number > first;
    this.offset = isNext ? this.listEnd : (this.starts[first / BLOCK] as number);
    this.number = -1;
    for (let each = isNext ? number : first; each <= number; each++) this.readEntry();
    this.number = number;
  }

  private readEntry(): void {
    this.units.length = this.readNumber();
    for (let rest = this.readNumber(); rest > 0; rest--) this.units.push(this.readNumber());
    const bytes = this.readNumber();
    this.listStart = this.offset;
    this.offset += bytes;
    this.listEnd = this.offset;
  }

  private readNumber(): number {
    let number = 0;
    for (let scale = 1; ; scale *= MORE) {
      const byte = this.entries[this.offset++] as number;
      number += (byte & (MORE - 1)) * scale;
      if (byte < MORE) return number;
    }
  }
}
