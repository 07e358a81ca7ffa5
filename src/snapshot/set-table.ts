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
  type NumberColumn,
  numberColumn,
  writeColumnFile,
} from './column-file.ts';
import { SnapshotFormatError } from './format-error.ts';
import type { Part } from './part.ts';

const SECTION_COUNT = 4;

/** The part with the words of a field. */
export function setsPart(field: Facet): Part<SetTable> {
  const name = `sets/${field}`;
  return {
    name,
    read: (part, storeCount) => new SetTable(name, part, storeCount),
  };
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

/** Reads such a part. */
export class SetTable {
  /** By code unit. */
  readonly words: readonly string[];
  readonly setCount: number;
  /** The number of the set of each store. */
  readonly sets: NumberColumn;
  private readonly members: Uint32Array;
  private readonly ends: Uint32Array;

  /** Checks the layout. @throws SnapshotFormatError */
  constructor(name: string, buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile(name, buffer, SECTION_COUNT);
    this.words = readWords(name, file.u8(0));
    this.members = file.u32(1);
    this.ends = file.u32(2);
    this.setCount = this.ends.length;
    this.sets = file.numbers(3, storeCount, this.setCount);
  }

  /** Makes what tells of a store, by its ordinal, whether its words pass: each set of words is tried once. */
  test(passes: (words: readonly string[]) => boolean): (store: number) => boolean {
    const { sets } = this;
    const marks = new Uint8Array(this.setCount);
    for (let set = 0; set < this.setCount; set++) marks[set] = Number(passes(this.wordsOf(set)));
    return (store) => marks[sets[store] as number] === 1;
  }

  /** How many of `stores`, given by ordinals, have each word. */
  count(stores: Uint32Array): Map<string, number> {
    const ofSets = new Uint32Array(this.setCount);
    for (let place = 0; place < stores.length; place++) {
      const set = this.sets[stores[place] as number] as number;
      ofSets[set] = (ofSets[set] as number) + 1;
    }
    const counts = new Map(this.words.map((word) => [word, 0]));
    for (let set = 0; set < this.setCount; set++) {
      for (const word of this.wordsOf(set)) {
        counts.set(word, (counts.get(word) as number) + (ofSets[set] as number));
      }
    }
    return counts;
  }

  wordsOf(set: number): string[] {
    const members = this.members.subarray(this.ends[set - 1] ?? 0, this.ends[set]);
    return Array.from(members, (number) => this.words[number] as string);
  }
}

function readWords(name: string, bytes: Uint8Array): string[] {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new SnapshotFormatError(`${name}: the words cannot be read`);
  }
}
