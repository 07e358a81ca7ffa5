/** What remains of repeated measurements. */
import { medianAbsoluteDeviation, median as middle, quantileSorted } from 'simple-statistics';

/** The middle of several values, and how sure it is. */
export interface Spread {
  readonly median: number;
  /** Standard error of the median. */
  readonly error: number;
}

/** What half of the values do not exceed, and what all but one in twenty do not. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
}

/** The standard deviation in median absolute deviations, of values that spread normally. */
const DEVIATION_OF_MAD = 1.4826;
/** The standard error of a median in those of a mean. */
const ERROR_OF_MEDIAN = 1.2533;

/** By absolute deviations: one disturbed round must not make a bar easier to hold. */
export function spreadOf(values: number[]): Spread {
  const deviation = DEVIATION_OF_MAD * medianAbsoluteDeviation(values);
  return {
    median: middle(values),
    error: (ERROR_OF_MEDIAN * deviation) / Math.sqrt(values.length),
  };
}

/** The spread of the values that are known; null when there are none. */
export function spreadOfKnown(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : spreadOf(known);
}

/** The spread of `a[i] / b[i]`: values taken in one round are compared with each other only. */
export function ratioSpread(a: readonly number[], b: readonly number[]): Spread {
  return spreadOf(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  return { p50: quantileSorted(sorted, 0.5), p95: quantileSorted(sorted, 0.95) };
}
