/**
 * The `ids` part: the ids of the stores. Only requests for one store by its id need it, and it stays
 * the same object while no store comes or goes. n stores:
 *
 *     section  content
 *     0        ids      12·n bytes, binary, in ordinal order
 *     1        order    u32 × n, ordinals in ascending order of binary id: where ids are written in
 *                       one case throughout, these are 0, 1, 2 …
 */
import { fromHex, toHex } from '../hash.ts';
import { ColumnFile, concatenate, writeColumnFile } from './column-file.ts';
import { expectEqual, SnapshotFormatError } from './format-error.ts';
import { findInOrder, orderBy } from './ordinal-order.ts';

export const ID_BYTES = 12;
const SECTION_COUNT = 2;

/** Writes the part. `ids` are 24 hexadecimal digits each, in any case, in ordinal order. */
export function writeIdTable(ids: readonly string[]): Uint8Array<ArrayBuffer> {
  return writeColumnFile([
    concatenate(ids.map(fromHex)),
    orderBy(ids.map((id) => id.toLowerCase())),
  ]);
}

/** Reads the part in place. */
export class IdTable {
  /** Ordinals in ascending order of id, in lower case. */
  readonly order: Uint32Array;
  private readonly ids: Uint8Array;

  /** Checks the layout and the bounds of the order. @throws SnapshotFormatError */
  constructor(buffer: ArrayBuffer, storeCount: number) {
    const file = new ColumnFile('ids', buffer, SECTION_COUNT);
    this.ids = file.u8(0);
    this.order = file.u32(1, storeCount);
    expectEqual('ids bytes', this.ids.length, storeCount * ID_BYTES);
    for (let place = 0; place < storeCount; place++) {
      if ((this.order[place] as number) >= storeCount) {
        throw new SnapshotFormatError(`ids: place ${place} of the order names no store`);
      }
    }
  }

  /** The ordinal of the store with this id, in any case, or null. */
  find(id: string): number | null {
    const wanted = fromHex(id);
    return findInOrder(this.order, (ordinal) => this.compare(ordinal, wanted));
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
