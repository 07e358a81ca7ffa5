/**
 * Finds stores by words, and ranks how well they fit. A store matches when every word of the query
 * begins one of its words. If no store of the release matches, whatever other conditions say, a second reading allows
 * each longer word one slip.
 */
import type { RankColumn } from '../snapshot/rank-column.ts';
import type { WordTable } from '../snapshot/word-table.ts';
import type { Scratch } from './scratch.ts';

/** Words of a query: a mark for each fits into a byte. */
export const MAX_WORDS = 8;

/** Words that may have a slip: five letters or more, and nothing but letters. */
const LONGER_WORD = /^\p{L}{5,}$/u;

/**
 * Finds the stores that have the words of a query, as they are written or else with slips.
 * @param inNames the words of the names of stores
 * @param inPlaces the words of their towns and postcodes
 * @param asked words as `wordsOf` makes them, each once, 1 to `MAX_WORDS`
 */
export function searchWords(
  inNames: WordTable,
  inPlaces: WordTable,
  asked: readonly string[],
  storeCount: number,
  scratch: Scratch,
) {
  const whole = scratch.whole.zeros(storeCount);
  for (const table of [inNames, inPlaces]) markWholeWords(whole, table, asked);
  const ranks = scratch.relevance.zeros(storeCount);
  const read = (reading: 'exact' | 'close', beginnings: readonly (readonly string[])[]) => {
    const named = markStores(scratch.named.zeros(storeCount), inNames, beginnings);
    const placed = markStores(scratch.placed.zeros(storeCount), inPlaces, beginnings);
    const stores = rankStores(ranks, named, placed, whole, 2 ** asked.length - 1);
    /** Higher for stores that fit better, 0 for the others. */
    const relevance: RankColumn = { ranks, highest: (MAX_WORDS + 1) ** 2 };
    return { reading, stores, relevance };
  };
  const exact = read(
    'exact',
    asked.map((word) => [word]),
  );
  if (exact.stores.length > 0) return exact;
  // It found none, so that the ranks are zeros still.
  return read(
    'close',
    asked.map((word) => [word, ...closeBeginnings([inNames, inPlaces], word)]),
  );
}

/**
 * Fills `ranks` for the stores whose marks together have all bits of `all`. Returns these stores.
 * @param whole marks of the words of the query that are whole words of a store
 */
function rankStores(
  ranks: Uint32Array,
  named: Uint8Array,
  placed: Uint8Array,
  whole: Uint8Array,
  all: number,
): Uint32Array {
  const stores: number[] = [];
  for (let store = 0; store < ranks.length; store++) {
    const mark = named[store] as number;
    if ((mark | (placed[store] as number)) !== all) continue;
    const [inName, asWhole] = [ONES[mark] as number, ONES[whole[store] as number] as number];
    ranks[store] = 1 + (MAX_WORDS + 1) * inName + asWhole;
    stores.push(store);
  }
  return Uint32Array.from(stores);
}

/** Number of set bits, by byte. */
const ONES = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0;
  for (let rest = byte; rest !== 0; rest &= rest - 1) count++;
  return count;
});

/**
 * Marks, for each store, the words of the query that begin a word of it: a bit for each.
 * @param beginnings for each word of the query, the spellings that count
 */
function markStores(
  marks: Uint8Array,
  table: WordTable,
  beginnings: readonly (readonly string[])[],
): Uint8Array {
  beginnings.forEach((each, index) => {
    for (const beginning of each) {
      const [first, end] = table.startingWith(beginning);
      for (let word = first; word < end; word++) table.mark(word, marks, 1 << index);
    }
  });
  return marks;
}

/** Marks in the same way the words of the query that are whole words of a store. */
function markWholeWords(marks: Uint8Array, table: WordTable, asked: readonly string[]): void {
  asked.forEach((word, index) => {
    // The word itself comes before all others that it begins.
    const [first, end] = table.startingWith(word);
    if (first !== end && table.word(first) === word) table.mark(first, marks, 1 << index);
  });
}

/**
 * Yields the spellings that are one slip away from a word and may begin a word of the tables; none
 * for a short word. A slip is a code point more, less or other, or two neighbours swapped: the
 * distance of F. J. Damerau, "A technique for computer detection and correction of spelling
 * errors", 1964.
 */
function* closeBeginnings(tables: readonly WordTable[], word: string): Generator<string> {
  if (!LONGER_WORD.test(word)) return;
  const letters = Array.from(word);
  for (const [index, letter] of letters.entries()) {
    const before = letters.slice(0, index).join('');
    const nextLetters = new Set(tables.flatMap((table) => lettersAfter(table, before)));
    const [second = '', ...others] = letters.slice(index + 1);
    const rest = second + others.join('');
    // Without its last letter the word may be a whole one, which no letter comes after.
    yield before + rest;
    if (nextLetters.size === 0) return;
    yield before + second + letter + others.join('');
    for (const other of nextLetters) {
      yield before + other + rest;
      yield before + other + letter + rest;
    }
  }
}

/** Returns the code points that follow `beginning` in words of the table. */
function lettersAfter(table: WordTable, beginning: string): string[] {
  const letters: string[] = [];
  let [first, end] = table.startingWith(beginning);
  while (first < end) {
    const point = table.word(first).codePointAt(beginning.length);
    if (point === undefined) {
      first++;
      continue;
    }
    const letter = String.fromCodePoint(point);
    letters.push(letter);
    [, first] = table.startingWith(beginning + letter);
  }
  return letters;
}
