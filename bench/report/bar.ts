/** One bar of the project, held against what was measured. */
import type { Spread } from './statistics.ts';

export interface Bar {
  readonly what: string;
  /** What has to be reached, in words. */
  readonly bar: string;
  /** What was measured; null when this run did not. */
  readonly measured: string | null;
  readonly holds: boolean | null;
}

/** One of the figures that a bar is about. */
export interface Figure {
  /** What tells it from the others: a case, mostly. */
  readonly label: string;
  readonly value: number;
  /** What it has to reach. */
  readonly bar: number;
  /** Its standard error, if it was taken in rounds; 0: it has to reach the bar exactly. */
  readonly error: number;
}

/** The value of a figure that was taken in rounds, with its error. */
export function middleOf({ median, error }: Spread): Pick<Figure, 'value' | 'error'> {
  return { value: median, error };
}

/** A figure without an error. @param label may be left out where there is no other */
export function exactly(value: number, bar: number, label = ''): Figure {
  return { label, value, bar, error: 0 };
}

/** The bar of what must not happen at all. */
export const NONE = 'none';

type Direction = 'at least' | 'at most';

/** Every figure has to reach its bar. @param bar what has to be reached, in words */
export function atLeast(
  what: string,
  bar: string,
  figures: readonly Figure[],
  write: (value: number) => string,
): Bar {
  return judge(what, bar, figures, write, 'at least');
}

/** No figure may exceed its bar. @param bar what must not be exceeded, in words */
export function atMost(
  what: string,
  bar: string,
  figures: readonly Figure[],
  write: (value: number) => string,
): Bar {
  return judge(what, bar, figures, write, 'at most');
}

function judge(
  what: string,
  bar: string,
  figures: readonly Figure[],
  write: (value: number) => string,
  direction: Direction,
): Bar {
  const text = bar === NONE ? NONE : `${direction} ${bar}`;
  const [worst] = figures.toSorted((a, b) => shortfall(b, direction) - shortfall(a, direction));
  if (!worst) return { what, bar: text, measured: null, holds: null };
  const missed = figures.filter((figure) => isMissed(figure, direction));
  const written = Number.isFinite(worst.value) ? write(worst.value) : 'no number';
  const value = figures.length === 1 ? written : `${written} (${worst.label})`;
  const others = missed.length > 1 ? `; ${missed.length} of ${figures.length} missed` : '';
  return { what, bar: text, measured: value + others, holds: missed.length === 0 };
}

/**
 * A bar is missed when the figure lies beyond it by more than its standard error, and by what is no
 * number: nobody knows then what was measured.
 */
function isMissed({ value, bar, error }: Figure, direction: Direction): boolean {
  if (!Number.isFinite(value)) return true;
  return !(direction === 'at least' ? value >= bar - error : value <= bar + error);
}

/** How far a figure is from its bar, in shares of that; the worst one has most. */
function shortfall({ value, bar, error }: Figure, direction: Direction): number {
  if (!Number.isFinite(value)) return Number.MAX_VALUE;
  const beyond = direction === 'at least' ? bar - error - value : value - error - bar;
  return bar === 0 ? beyond : beyond / bar;
}
