/**
 * The `ids` part: the ids of the stores. It stays the same object while no store comes or goes.
 * n stores:
 *
 *     section  content
 *     0        ids      12·n bytes, binary, in ordinal order
 *     1        order    u32 × n, ordinals in ascending order of binary id; empty where that is
 *                       0, 1, 2 …, as it is where all ids are written in one case
 */

import { fromHex, toHex } from '../hash.ts';
import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { expectEqual, SnapshotFormatError } from './format-error.ts';
import { casesOf, compareIds, ID_BYTES } from './id-text.ts';

const SECTION_COUNT = 2;

/** Writes the part. `ids` are 24 hexadecimal digits each, in any case, in ordinal order. */
export function writeIdTable(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  const order = ids.map((id, ordinal) => ({ id: id.toLowerCase(), ordinal }));
  order.sort((a, b) => (a.id < b.id ? -1 : 1));
  const isPlain = order.every(({ ordinal }, place) => ordinal === place);
  const column = isPlain ? [] : order.map(({ ordinal }) => ordinal);
  return writeColumnFile([concatenate(ids.map(fromHex)), Uint32Array.from(column)]);
}

/** Reads the part in place. */
export class IdTable {
  readonly storeCount: number;
  private readonly order: Uint32Array;
  private readonly ids: Uint8Array;

  /** Checks the layout and the bounds of the order. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('ids', buffer, SECTION_COUNT);
    this.storeCount = storeCount;
    this.ids = file.u8(0);
    this.order = file.u32(1, file.bytes(1) === 0 ? 0 : storeCount);
    expectEqual('ids bytes', this.ids.length, storeCount * ID_BYTES);
    this.order.forEach((ordinal, place) => {
      if (ordinal >= storeCount) {
        throw new SnapshotFormatError(`ids: place ${place} of the order names no store`);
      }
    });
  }

  /** The ordinal of the store at `place` in the order of ids without regard to case. */
  at(place: number): number {
    return this.order.length === 0 ? place : (this.order[place] as number);
  }

  /** The ordinal of the store with this id, in any case, or null, by binary search. */
  find(id: string): number | null {
    const wanted = fromHex(id);
    let low = 0;
    let high = this.storeCount - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const ordinal = this.at(middle);
      const difference = this.compare(ordinal, wanted);
      if (difference === 0) return ordinal;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  /**
   * How many stores come before the first one whose id, as a text, comes after `id`; by binary search.
   * @param cases the part `id-cases`; null: no id has an upper-case letter
   */
  countUpTo(id: string, cases: Uint32Array | null): number {
    const wanted = { bytes: fromHex(id), start: 0, cases: casesOf(id) };
    let low = 0;
    let high = this.storeCount;
    while (low < high) {
      const middle = (low + high) >> 1;
      const place = { bytes: this.ids, start: middle * ID_BYTES, cases: cases?.[middle] ?? 0 };
      if (compareIds(place, wanted) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The id of a store in lower case, 24 hexadecimal digits. */
  id(ordinal: number): string {
    return toHex(this.ids.subarray(ordinal * ID_BYTES, (ordinal + 1) * ID_BYTES));
  }

  private compare(ordinal: number, wanted: Uint8Array): number {
    const start = ordinal * ID_BYTES;
    for (let index = 0; index < ID_BYTES; index++) {
      const difference = (this.ids[start + index] as number) - (wanted[index] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
