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
import { ColumnFile, writeColumnFile } from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';

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

function endsOf(pieces: readonly { readonly length: number }[]): Uint32Array {
  let end = 0;
  return Uint32Array.from(pieces, ({ length }) => {
    end += length;
    return end;
  });
}

/** Reads such a part in place. */
export class TermTable {
  /** Ascending by code unit. */
  readonly words: readonly string[];
  private readonly storeEnds: Uint32Array;
  private readonly ordinals: Uint32Array;

  /** Checks the layout and the bounds of ends and ordinals. @throws SnapshotFormatError */
  constructor(name: string, buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile(name, buffer, SECTION_COUNT);
    const text = file.u16(0, file.countOf(0, Uint16Array.BYTES_PER_ELEMENT));
    const textEnds = file.u32(1, file.countOf(1, Uint32Array.BYTES_PER_ELEMENT));
    this.storeEnds = file.u32(2, textEnds.length);
    this.ordinals = file.u32(3, file.countOf(3, Uint32Array.BYTES_PER_ELEMENT));
    expectEnds(name, textEnds, text.length);
    expectEnds(name, this.storeEnds, this.ordinals.length);
    if (this.ordinals.some((store) => store >= storeCount)) {
      throw new SnapshotFormatError(`${name}: a word names a store of ${storeCount} that is none`);
    }
    this.words = Array.from(textEnds, (end, word) =>
      String.fromCharCode(...text.subarray(textEnds[word - 1] ?? 0, end)),
    );
  }

  /** Ordinals of the stores that have a word, ascending. @param word its place in `words` */
  stores(word: number): Uint32Array {
    return this.ordinals.subarray(this.storeEnds[word - 1] ?? 0, this.storeEnds[word]);
  }
}

function expectEnds(name: string, ends: Uint32Array, length: number): void {
  let last = 0;
  for (const end of ends) {
    if (end < last) throw new SnapshotFormatError(`${name}: an end lies before the one before it`);
    last = end;
  }
  if (last !== length)
    throw new SnapshotFormatError(`${name}: got end ${last}, expected ${length}`);
}
