/** Compares words that may be mistyped. */

/**
 * Returns how many letters were left out, added, replaced or swapped with their neighbour between
 * `a` and `b` (the optimal string alignment distance). Stops at `limit`, which most words reach at
 * once.
 */
export function countSlips(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  // A row has the distances between one beginning of a and all beginnings of b.
  let rowBefore: number[] = [];
  let previous: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, length) => length);
  for (let i = 1; i <= a.length; i++) {
    [rowBefore, previous, row] = [previous, row, [i]];
    let slips = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      slips = Math.min(replaced, slips + 1, (previous[j] as number) + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) slips = Math.min(slips, (rowBefore[j - 2] as number) + 1);
      if (slips < least) least = slips;
      row.push(slips);
    }
    if (least >= limit) return limit;
  }
  return Math.min(row[b.length] as number, limit);
}
