/**
 * The parts `sets/…`: the words that each store has of a field, such as its languages. Few sets of words
 * differ, so each is written once, and a store names its set by number. Of s sets with m words in all, and
 * n stores:
 *
 *     section  content
 *     0        words    JSON, the list of all words
 *     1        members  u32 × m, numbers of words, set after set
 *     2        ends     u32 × s, where each set ends in `members`
 *     3        sets     numbers × n, of the set of each store
 */
import type { Facet } from '../model/enumerations.ts';
import {
  type ColumnFile,
  columnPart,
  DistinctLists,
  endsOf,
  numberColumn,
  writeColumnFile,
} from './column-file.ts';

/** Returns the part with the words of a field. */
export function setsPart(field: Facet) {
  return columnPart(`sets/${field}`, 4, readSets);
}

/** Writes a part of the words of each store, in ordinal order. The order of a store's words means nothing. */
export function writeSets(stores: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const words = [...new Set(stores.flat())].sort();
  const numbers = new Map(words.map((word, number) => [word, number]));
  const sets = new DistinctLists();
  const column = stores.map((store) =>
    sets.number([...new Set(store)].sort().map((word) => numbers.get(word) as number)),
  );
  return writeColumnFile([
    new TextEncoder().encode(JSON.stringify(words)),
    Uint32Array.from(sets.all.flat()),
    endsOf(sets.all),
    numberColumn(column, sets.all.length),
  ]);
}

/** Reads such a part, and checks its layout. @throws SnapshotFormatError */
function readSets(file: ColumnFile, storeCount: number) {
  /** By code unit. */
  const words = file.json(0) as readonly string[];
  const members = file.u32(1);
  const ends = file.u32(2);
  /** The words of each set. */
  const wordLists = Array.from(ends, (end, set) =>
    Array.from(members.subarray(ends[set - 1] ?? 0, end), (number) => words[number] as string),
  );
  /** The number of the set of each store. */
  const sets = file.numbers(3, storeCount, wordLists.length);

  /** Returns a test of stores, by ordinal: do the words of the store pass? */
  function test(passes: (words: readonly string[]) => boolean) {
    const passing = wordLists.map(passes);
    return (store: number) => passing[sets[store] as number] === true;
  }

  /** Counts how many of `stores`, given by ordinals, have each word. */
  function count(stores: Uint32Array): Map<string, number> {
    const ofSets = new Uint32Array(wordLists.length);
    for (let index = 0; index < stores.length; index++) {
      const set = sets[stores[index] as number] as number;
      ofSets[set] = (ofSets[set] as number) + 1;
    }
    const counts = new Map(words.map((word) => [word, 0]));
    for (const [set, list] of wordLists.entries()) {
      for (const word of list) {
        counts.set(word, (counts.get(word) as number) + (ofSets[set] as number));
      }
    }
    return counts;
  }

  return { sets, test, count };
}
