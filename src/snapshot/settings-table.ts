/**
 * The part `settings`: the value of each setting of n stores. Of s settings, in the order of the model
 * (`model/settings.ts`):
 *
 *     section  content
 *     0        values  JSON, the list of all values of each setting, by its path
 *     1 … s    column  of one setting, the index in that list of the value of each store: in bits, from the
 *                      lowest of the first byte on, where the list has two values at most; else in bytes
 */
import { SETTINGS, type SettingValue } from '../model/settings.ts';
import { type ColumnFile, columnPart, expectEqual, writeColumnFile } from './column-file.ts';

export const SETTINGS_PART = columnPart('settings', 1 + SETTINGS.length, readSettings);

const MAX_VALUES = 256;

/** Returns how many bits of its column each store has. @param count of the values of a setting */
const bitsFor = (count: number): number => (count <= 2 ? 1 : 8);

const columnBytes = (storeCount: number, bits: number): number =>
  Math.ceil((storeCount * bits) / 8);

/**
 * Writes the part.
 * @param stores in ordinal order, of each setting in turn the index of the store's value
 */
export function writeSettings(stores: readonly (readonly number[])[]): Uint8Array<ArrayBuffer> {
  const columns = SETTINGS.map(({ path, values: { length } }, setting) => {
    if (length > MAX_VALUES) {
      throw new Error(`${path} has ${length} values: MAX_VALUES is ${MAX_VALUES}`);
    }
    const bits = bitsFor(length);
    const column = new Uint8Array(columnBytes(stores.length, bits));
    for (const [store, indexes] of stores.entries()) {
      const offset = store * bits;
      const shifted = (indexes[setting] as number) << (offset & 7);
      column[offset >> 3] = (column[offset >> 3] as number) | shifted;
    }
    return column;
  });
  const values = Object.fromEntries(SETTINGS.map(({ path, values }) => [path, values]));
  return writeColumnFile([new TextEncoder().encode(JSON.stringify(values)), ...columns]);
}

/** Reads the part, and checks that it has the settings of the model. @throws SnapshotFormatError */
function readSettings(file: ColumnFile, storeCount: number) {
  const valuesOf = file.json(0) as Readonly<Record<string, readonly SettingValue[]>>;
  const paths = SETTINGS.map(({ path }) => path);
  expectEqual('settings', Object.keys(valuesOf).join(), paths.join());
  const columns = paths.map((path, index) => {
    const bits = bitsFor((valuesOf[path] as readonly SettingValue[]).length);
    return file.u8(1 + index, columnBytes(storeCount, bits));
  });

  /** Returns a test of stores, by ordinal: does a setting have one of some values? */
  function test(path: string, wanted: readonly SettingValue[]) {
    const values = valuesOf[path] as readonly SettingValue[];
    const passing = values.map((value) => wanted.includes(value));
    const column = columns[paths.indexOf(path)] as Uint8Array;
    const bits = bitsFor(values.length);
    const mask = 2 ** bits - 1;
    return (store: number) => {
      const offset = store * bits;
      return passing[((column[offset >> 3] as number) >> (offset & 7)) & mask] === true;
    };
  }

  return { test };
}
