/** Ordinals in the order of a key that stores have, for looking one up by it. */

/** Ordinals in ascending order of the keys they have, by UTF-16 code unit. Keys are unique. */
export function orderBy(keys: readonly string[]): Uint32Array {
  const order = keys.map((key, ordinal) => ({ key, ordinal }));
  order.sort((a, b) => (a.key < b.key ? -1 : 1));
  return Uint32Array.from(order, ({ ordinal }) => ordinal);
}

/**
 * The ordinal that is looked for, or null, by binary search.
 * @param compare how the store of an ordinal stands to the one that is looked for
 */
export function findInOrder(
  order: Uint32Array,
  compare: (ordinal: number) => number,
): number | null {
  let low = 0;
  let high = order.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const ordinal = order[middle] as number;
    const difference = compare(ordinal);
    if (difference === 0) return ordinal;
    if (difference < 0) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
