/** What a condition keeps of a release, by a mark for each store. */
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
  return {
    marks,
    stores: () => ordinalsOf(marks()),
    test() {
      const known = marks();
      return (store) => known[store] !== 0;
    },
  };
}

function ordinalsOf(marks: Marks): Uint32Array {
  const stores = new Uint32Array(marks.length);
  let count = 0;
  for (let store = 0; store < marks.length; store++) {
    if (marks[store] !== 0) stores[count++] = store;
  }
  return stores.subarray(0, count);
}
