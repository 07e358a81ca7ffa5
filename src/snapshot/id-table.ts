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
  return new IdTable(ids);
});

/** Ids in ascending order. */
export class IdTable {
  /** 12 for each. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** How many ids there are. */
  get count(): number {
    return this.bytes.length / ID_BYTES;
  }

  /** Returns the indexes of an id, given in any case: one or none. */
  candidates(id: string): number[] {
    const index = this.countUpTo(id) - 1;
    return index >= 0 && this.compare(index, Uint8Array.fromHex(id)) === 0 ? [index] : [];
  }

  /** Returns how many ids are `id` or lower, which is the index of the first after it. */
  countUpTo(id: string): number {
    const wanted = Uint8Array.fromHex(id);
    return lowerBound(this.count, (index) => this.compare(index, wanted) <= 0);
  }

  /**
   * Compares the id at `index` with the one at `other` of `bytes`. Returns a number below zero when it is
   * lower, zero when they are equal.
   */
  compare(index: number, bytes: Uint8Array, other = 0): number {
    const [here, there] = [index * ID_BYTES, other * ID_BYTES];
    for (let byte = 0; byte < ID_BYTES; byte++) {
      const difference = (this.bytes[here + byte] as number) - (bytes[there + byte] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The bytes of one id, in place. */
  at(index: number): Uint8Array {
    return this.bytes.subarray(index * ID_BYTES, (index + 1) * ID_BYTES);
  }

  /** One id in lower case. */
  text(index: number): string {
    return this.at(index).toHex();
  }
}
