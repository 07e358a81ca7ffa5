/** What remains of repeated measurements. */

/** The middle of several values, and their ends. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** @throws RangeError when there are no values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) throw new RangeError('there are no values');
  const upper = sorted[sorted.length >> 1] as number;
  const lower = sorted[(sorted.length - 1) >> 1] as number;
  return { median: (lower + upper) / 2, min, max };
}

/** The spread of `a[i] / b[i]`: values taken in one round are compared with each other only. */
export function ratioSpread(a: readonly number[], b: readonly number[]): Spread {
  if (a.length !== b.length) throw new RangeError('there are not as many of both');
  return spreadOf(a.map((value, round) => value / (b[round] as number)));
}

/** The typical one of several ratios: the geometric mean. */
export function meanRatio(ratios: readonly number[]): number {
  if (ratios.length === 0) throw new RangeError('there are no ratios');
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
