/**
 * The parts `sets/…`: the words that each store has of a field, such as its languages. Few sets of words
 * differ, so each is written once, and a store names its set by number. Of s sets with m words in all, and
 * n stores:
 *
 *     section  content
 *     0        words    JSON, the list of all words
 *     1        members  u32 × m, numbers of words: those of each set in turn
 *     2        ends     u32 × s, where each set ends in `members`
 *     3        sets     numbers × n, of the set of each store
 */
import type { Facet } from '../model/facets.ts';
import {
  ColumnFile,
  DistinctLists,
  endsOf,
  numberColumn,
  type Part,
  writeColumnFile,
} from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';

const SECTION_COUNT = 4;

/** The part with the words of a field. */
export function setsPart(field: Facet) {
  const name = `sets/${field}`;
  return {
    name,
    read: (part, storeCount) => readSets(name, part, storeCount),
  } satisfies Part;
}

export type SetTable = ReturnType<typeof readSets>;

type WordTest = (word: string) => boolean;

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
function readSets(name: string, part: ArrayBuffer, storeCount: number) {
  const file = new ColumnFile(name, part, SECTION_COUNT);
  /** By code unit. */
  const words = readWords(name, file.u8(0));
  const members = file.u32(1);
  const ends = file.u32(2);
  const setCount = ends.length;
  /** The number of the set of each store. */
  const sets = file.numbers(3, storeCount, setCount);

  function wordsOf(set: number): string[] {
    const numbers = members.subarray(ends[set - 1] ?? 0, ends[set]);
    return Array.from(numbers, (number) => words[number] as string);
  }

  /**
   * Makes what tells of a store, by its ordinal, whether it has a word of each kind that is wanted, and none
   * that is not.
   */
  function test(wanted: readonly WordTest[], unwanted: WordTest = () => false) {
    /** A bit for each kind that a word is of, the lowest for those not wanted. */
    const kinds = words.map((word) =>
      [unwanted, ...wanted].reduce((bits, isOne, kind) => bits | (Number(isOne(word)) << kind), 0),
    );
    const all = 2 ** (1 + wanted.length) - 2;
    const passes = Array.from(ends, (end, set) => {
      let found = 0;
      for (let index = ends[set - 1] ?? 0; index < end; index++) {
        found |= kinds[members[index] as number] as number;
      }
      return found === all;
    });
    return (store: number) => passes[sets[store] as number] === true;
  }

  /** How many of `stores`, given by ordinals, have each word. */
  function count(stores: Uint32Array): Map<string, number> {
    const ofSets = new Uint32Array(setCount);
    for (let index = 0; index < stores.length; index++) {
      const set = sets[stores[index] as number] as number;
      ofSets[set] = (ofSets[set] as number) + 1;
    }
    const counts = new Map(words.map((word) => [word, 0]));
    for (let set = 0; set < setCount; set++) {
      for (const word of wordsOf(set)) {
        counts.set(word, (counts.get(word) as number) + (ofSets[set] as number));
      }
    }
    return counts;
  }

  return { sets, wordsOf, test, count };
}

function readWords(name: string, bytes: Uint8Array): string[] {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new SnapshotFormatError(`${name}: the words cannot be read`);
  }
}
