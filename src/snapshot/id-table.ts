/**
 * The `ids` part: the ids of the stores. It stays the same object while no store comes or goes.
 * n stores:
 *
 *     section  content
 *     0        ids      12·n bytes, binary, ascending: the order of stores
 *
 * An id is a number of 24 hexadecimal digits: the case of its letters means nothing here. As the export
 * writes it, it stands in the record, and in the part `compared` where that is not in lower case.
 */

import {
  columnPart,
  concatenate,
  expectEqual,
  lowerBound,
  writeColumnFile,
} from './column-file.ts';

const ID_BYTES = 12;
/** Digits of an id. */
export const ID_DIGITS = 2 * ID_BYTES;

/** Writes the part. `ids` are 24 hexadecimal digits each, in any case, ascending by value. */
export function writeIdTable(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  return writeColumnFile([concatenate(ids.map((id) => Uint8Array.fromHex(id)))]);
}

/** The table reads the part in place. */
export const IDS_PART = columnPart('ids', 1, (file, storeCount) => {
  const ids = file.u8(0);
  expectEqual('ids bytes', ids.length, storeCount * ID_BYTES);
  return idTable(ids);
});

/** Ids in ascending order. */
export type IdTable = ReturnType<typeof idTable>;

/** Makes a table of ids in place. @param bytes 12 for each id, ascending */
export function idTable(bytes: Uint8Array) {
  /** How many ids there are. */
  const count = bytes.length / ID_BYTES;

  /**
   * Compares the id at `index` with the one at `other` of `others`. Returns a number below zero when it is
   * lower, zero when they are equal.
   */
  function compare(index: number, others: Uint8Array, other = 0): number {
    const [here, there] = [index * ID_BYTES, other * ID_BYTES];
    for (let byte = 0; byte < ID_BYTES; byte++) {
      const difference = (bytes[here + byte] as number) - (others[there + byte] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Returns how many ids are `id` or lower, which is the index of the first after it. */
  function countUpTo(id: string): number {
    const wanted = Uint8Array.fromHex(id);
    return lowerBound(count, (index) => compare(index, wanted) <= 0);
  }

  /** Returns the indexes of an id, given in any case: one or none. */
  function candidates(id: string): number[] {
    const index = countUpTo(id) - 1;
    return index >= 0 && compare(index, Uint8Array.fromHex(id)) === 0 ? [index] : [];
  }

  /** Returns the bytes of one id, in place. */
  function at(index: number): Uint8Array {
    return bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES);
  }

  return { bytes, count, compare, countUpTo, candidates, at };
}
