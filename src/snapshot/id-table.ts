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

import { ColumnFile, concatenate, lowerBound, type Part, writeColumnFile } from './column-file.ts';
import { expectEqual } from './format-error.ts';

const ID_BYTES = 12;
/** Digits of an id. */
export const ID_DIGITS = 2 * ID_BYTES;

/** Writes the part. `ids` are 24 hexadecimal digits each, in any case, ascending by value. */
export function writeIdTable(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  return writeColumnFile([concatenate(ids.map((id) => Uint8Array.fromHex(id)))]);
}

/** The table reads the part in place. */
export const IDS_PART: Part<IdTable> = {
  name: 'ids',
  read(part, storeCount) {
    const ids = new ColumnFile('ids', part, 1).u8(0);
    expectEqual('ids bytes', ids.length, storeCount * ID_BYTES);
    return new IdTable(ids);
  },
};

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

  /** The place of an id, given in any case, or null. */
  find(id: string): number | null {
    const place = this.countUpTo(id) - 1;
    return place >= 0 && this.compare(place, Uint8Array.fromHex(id)) === 0 ? place : null;
  }

  /** The same as a list of one or none. */
  candidates(id: string): number[] {
    const place = this.find(id);
    return place === null ? [] : [place];
  }

  /** How many are `id` or lower, which is the place of the first after it. */
  countUpTo(id: string): number {
    const wanted = Uint8Array.fromHex(id);
    return lowerBound(this.count, (place) => this.compare(place, wanted) <= 0);
  }

  /**
   * Below zero when the id at `place` is lower than another one, zero when they are equal.
   * @param bytes the other one is that at `other` of these
   */
  compare(place: number, bytes: Uint8Array, other = 0): number {
    const [here, there] = [place * ID_BYTES, other * ID_BYTES];
    for (let index = 0; index < ID_BYTES; index++) {
      const difference = (this.bytes[here + index] as number) - (bytes[there + index] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** The bytes of one id, in place. */
  at(place: number): Uint8Array {
    return this.bytes.subarray(place * ID_BYTES, (place + 1) * ID_BYTES);
  }

  /** One id in lower case. */
  text(place: number): string {
    return this.at(place).toHex();
  }
}
