/** The first elements of an order without ordering the rest. */

export type Compare = (a: number, b: number) => number;

/**
 * The `count` smallest of `items` under `compare`, in order; moves the items about. Quickselect
 * (C. A. R. Hoare, "Algorithm 65: Find", 1961) sets them apart, then only they are sorted.
 */
export function selectSmallest(items: Uint32Array, count: number, compare: Compare): Uint32Array {
  if (count < items.length) partition(items, count, compare);
  return items.subarray(0, count).sort(compare);
}

/** Moves the `count` smallest items to the front, in no order. */
function partition(items: Uint32Array, count: number, compare: Compare): void {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const pivot = items[(low + high) >> 1] as number;
    let left = low;
    let right = high;
    while (left <= right) {
      while (compare(items[left] as number, pivot) < 0) left++;
      while (compare(items[right] as number, pivot) > 0) right--;
      if (left <= right) {
        const held = items[left] as number;
        items[left++] = items[right] as number;
        items[right--] = held;
      }
    }
    if (count <= right) high = right;
    else if (count >= left) low = left;
    else return;
  }
}
