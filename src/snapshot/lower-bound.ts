/**
 * The first place from 0 to `count` whose value is not below what is looked for, by binary search.
 * @param isBelow holds up to some place, and not from there on
 */
export function lowerBound(count: number, isBelow: (place: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
