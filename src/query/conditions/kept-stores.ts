/** What a condition keeps of a release: by a mark for each store, by its set of words, or by a test. */
import type { SetTable } from '../../snapshot/set-table.ts';
import type { StoreTest } from '../nearest.ts';
import { passingOf } from '../store-column.ts';
import type { KeptStores } from './condition.ts';

type Marks = Uint8Array | Uint16Array | Uint32Array;

/**
 * The stores whose mark is not 0.
 * @param mark works the marks out, by ordinal; it is called when they are first needed, and once
 */
export function keptByMarks<Each extends Marks>(
  mark: () => Each,
): KeptStores & { readonly marks: () => Each } {
  const marks = once(mark);
  const test = () => {
    const known = marks();
    return (store: number) => known[store] !== 0;
  };
  return { marks, test, stores: () => passingOf(marks().length, test()) };
}

/**
 * The stores whose set of words has the mark 1.
 * @param mark works the marks out, by the numbers of sets; it is called when they are first needed
 */
export function keptBySets(table: SetTable, mark: (table: SetTable) => Uint8Array): KeptStores {
  const { sets } = table;
  return keptByTest(sets.length, () => {
    const known = mark(table);
    return (store) => known[sets[store] as number] === 1;
  });
}

/**
 * The stores that pass a test.
 * @param makeTest makes it; it is called when it is first needed, and once
 */
export function keptByTest(storeCount: number, makeTest: () => StoreTest): KeptStores {
  const test = once(makeTest);
  return { test, stores: () => passingOf(storeCount, test()) };
}

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
