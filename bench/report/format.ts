/** Figures as the report writes them. */
import type { Spread } from './statistics.ts';

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** `0.83×`, `9.5×`, `336×` */
export function times(value: number): string {
  return `${value.toFixed(value < 1 ? 2 : value < 20 ? 1 : 0)}×`;
}

/** `0.83× (0.80 to 0.86)` */
export function timesWithin({ median, min, max }: Spread): string {
  return `${times(median)} (${times(min)} to ${times(max)})`;
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1e3).toFixed(1)} kB`;
}

export function seconds(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} s`;
}
