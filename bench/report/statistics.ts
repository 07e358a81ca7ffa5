/** What remains of repeated measurements. */

/** The middle of several values, their ends, and how sure the middle is. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Standard error of the median. */
  readonly error: number;
}

/** What half of the values do not exceed, and what all but one in twenty do not. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** Of a large number of values: the tail, too. */
export interface Quantiles extends Percentiles {
  readonly p90: number;
  readonly p99: number;
  /** What all but one in a thousand do not exceed. */
  readonly p999: number;
  readonly max: number;
}

/** The standard deviation in median absolute deviations, of values that spread normally. */
const DEVIATION_OF_MAD = 1.4826;
/** The standard error of a median in those of a mean. */
const ERROR_OF_MEDIAN = 1.2533;

/** @throws RangeError when there are no values */
export function spreadOf(values: readonly number[]): Spread {
  const median = quantile(values, 0.5);
  // By absolute deviations: one disturbed round must not make a bar easier to hold.
  const deviations = values.map((value) => Math.abs(value - median));
  const deviation = DEVIATION_OF_MAD * quantile(deviations, 0.5);
  const error = (ERROR_OF_MEDIAN * deviation) / Math.sqrt(values.length);
  return { median, min: Math.min(...values), max: Math.max(...values), error };
}

/** The spread of `a[i] / b[i]`: values taken in one round are compared with each other only. */
export function ratioSpread(a: readonly number[], b: readonly number[]): Spread {
  if (a.length !== b.length) throw new RangeError('there are not as many of both');
  return spreadOf(a.map((value, round) => value / (b[round] as number)));
}

/** @throws RangeError when there are no values */
export function percentilesOf(values: readonly number[]): Percentiles {
  return { p50: quantile(values, 0.5), p95: quantile(values, 0.95) };
}

/** @throws RangeError when there are no values */
export function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = inOrder(values);
  const [p50, p90, p95, p99, p999, max] = [0.5, 0.9, 0.95, 0.99, 0.999, 1].map((share) =>
    quantileOfSorted(sorted, share),
  ) as [number, number, number, number, number, number];
  return { p50, p90, p95, p99, p999, max };
}

/** The value below which `share` of the values lie; between two values, in proportion. */
function quantile(values: readonly number[], share: number): number {
  return quantileOfSorted(inOrder(values), share);
}

/** What is no number has no place among the others, and nobody knows the middle: none is a number. */
function inOrder(values: readonly number[]): readonly number[] {
  if (values.some(Number.isNaN)) return values.map(() => Number.NaN);
  return values.toSorted((a, b) => a - b);
}

function quantileOfSorted(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const lower = sorted[Math.floor(place)];
  const upper = sorted[Math.ceil(place)];
  if (lower === undefined || upper === undefined) throw new RangeError('there are no values');
  return lower + (upper - lower) * (place - Math.floor(place));
}
