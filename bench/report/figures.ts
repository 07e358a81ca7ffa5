/** What remains of repeated measurements, and how figures and tables are written. */
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

/** Writes a count: `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Writes a ratio: `0.83×`, `9.5×`, `336×` */
export function times(value: number): string {
  return `${digits(value)}×`;
}

/** Writes a time: `0.24 ms`, `8.3 ms`, `143 ms` */
export function milliseconds(value: number): string {
  return `${digits(value)} ms`;
}

/** Writes `143 (220)`: what half of the requests take, and what all but one in twenty do. */
export function percentiles({ p50, p95 }: Percentiles): string {
  return `${digits(p50)} (${digits(p95)})`;
}

export function steps(value: number): string {
  return value.toFixed(1);
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}

export function megabytes(bytes: number): string {
  return `${digits(bytes / 1e6)} MB`;
}

export function seconds(value: number): string {
  return `${value.toFixed(1)} s`;
}

/** Writes a share: `2.7 %` */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Writes a table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

function digits(value: number): string {
  return value.toFixed(value < 1 ? 2 : value < 20 ? 1 : 0);
}
