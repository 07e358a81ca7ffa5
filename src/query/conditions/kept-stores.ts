/** What a condition keeps of a release, by a mark for each store or by a test. */
import type { StoreTest } from '../nearest.ts';
import type { KeptStores } from './condition.ts';

type Marks = Uint8Array | Uint16Array | Uint32Array;

/**
 * The stores whose mark is not 0.
 * @param mark works the marks out, by ordinal; it is called when they are first needed, and once
 */
export function keptByMarks<Each extends Marks>(
  mark: () => Each,
): KeptStores & { readonly marks: () => Each } {
  let made: Each | undefined;
  const marks = () => {
    made ??= mark();
    return made;
  };
  const test = () => {
    const known = marks();
    return (store: number) => known[store] !== 0;
  };
  return { marks, test, stores: () => ordinalsOf(marks().length, test()) };
}

/**
 * The stores that pass a test.
 * @param makeTest makes it; it is called when it is first needed, and once
 */
export function keptByTest(storeCount: number, makeTest: () => StoreTest): KeptStores {
  let made: StoreTest | undefined;
  const test = () => {
    made ??= makeTest();
    return made;
  };
  return { test, stores: () => ordinalsOf(storeCount, test()) };
}

function ordinalsOf(storeCount: number, isKept: StoreTest): Uint32Array {
  const stores = new Uint32Array(storeCount);
  let count = 0;
  for (let store = 0; store < storeCount; store++) {
    if (isKept(store)) stores[count++] = store;
  }
  return stores.subarray(0, count);
}
