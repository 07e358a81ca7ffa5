/** What remains of repeated measurements. */
import { medianAbsoluteDeviation, median as middle, quantile } from 'simple-statistics';

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
/** The standard error of a median, divided by the standard error of a mean. */
const ERROR_OF_MEDIAN = 1.2533;

/** Returns the spread, by absolute deviations: one disturbed round must not make a bar easier to hold. */
export function spreadOf(values: number[]): Spread {
  const deviation = DEVIATION_OF_MAD * medianAbsoluteDeviation(values);
  return {
    median: middle(values),
    error: (ERROR_OF_MEDIAN * deviation) / Math.sqrt(values.length),
  };
}

export function percentilesOf(values: readonly number[]): Percentiles {
  return { p50: quantile([...values], 0.5), p95: quantile([...values], 0.95) };
}
