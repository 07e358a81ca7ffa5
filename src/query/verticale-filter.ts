/** Verticale conditions over the mask column. */
import type { VerticaleFilter } from './queries.ts';

/** Whether there are any conditions. */
export function filters({ allOf, anyOf, noneOf }: VerticaleFilter): boolean {
  return (allOf | anyOf | noneOf) !== 0;
}

/** Whether a store of these verticales passes. */
export function passes(filter: VerticaleFilter, verticales: number): boolean {
  return (
    (verticales & filter.allOf) === filter.allOf &&
    (verticales & filter.noneOf) === 0 &&
    (filter.anyOf === 0 || (verticales & filter.anyOf) !== 0)
  );
}

/** Ordinals of the stores that pass, ascending. */
export function filterStores(filter: VerticaleFilter, verticales: Uint16Array): Uint32Array {
  const passing = new Uint32Array(verticales.length);
  let count = 0;
  for (let store = 0; store < verticales.length; store++) {
    if (passes(filter, verticales[store] as number)) passing[count++] = store;
  }
  return passing.slice(0, count);
}
