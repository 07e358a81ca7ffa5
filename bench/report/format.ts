/** Figures and tables as the report writes them. */
import type { Percentiles } from './statistics.ts';

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
