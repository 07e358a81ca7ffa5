/**
 * What a run finds out. Each measurement says at once which bar a figure is held against, so that the
 * bar stands beside the measurement, and no other code knows how results are shaped.
 */
import type { CaseName } from '../requests/request.ts';
import type { Percentiles, Spread } from './figures.ts';

type Write = (value: number) => string;

/** A figure that is held against a bar. */
export interface Figure {
  /** What it is about; figures of one name are one row of the report. */
  readonly what: string;
  /** What the figures of a row differ by: a case, mostly. */
  readonly label: string;
  readonly value: number;
  /** Its standard error, if it was taken in rounds. */
  readonly error: number;
  readonly direction: 'at least' | 'at most';
  /** What it has to reach. */
  readonly reach: number;
  readonly words: string;
  readonly write: Write;
}

/** The columns of "What a partner notices". */
export const COLUMNS = ['first', 'new documents', 'CPU', 'hot'] as const;

/** What a partner notices of a case. */
export interface Cell {
  readonly storeCount: number;
  readonly name: CaseName;
  readonly column: (typeof COLUMNS)[number];
  readonly value: Percentiles | number;
  readonly text: string;
}

export class Findings {
  readonly figures: Figure[] = [];
  readonly noticed: Cell[] = [];

  /** Holds a figure against a bar. @param value may miss the bar by its standard error if it has rounds */
  atMost(
    what: string,
    write: Write,
    label: string,
    value: Spread | number,
    reach: number,
    words: string = write(reach),
    direction: Figure['direction'] = 'at most',
  ): void {
    const spread = typeof value === 'number' ? { median: value, error: 0 } : value;
    const { median, error } = spread;
    this.figures.push({ what, write, label, value: median, error, reach, words, direction });
  }

  atLeast(what: string, write: Write, label: string, value: Spread | number, reach: number): void {
    this.atMost(what, write, label, value, reach, write(reach), 'at least');
  }
}

/** Returns the rows of the report: the verdict on each bar, in the order in which they were measured. */
export function judge(figures: readonly Figure[]) {
  return [...Map.groupBy(figures, ({ what }) => what).values()].map((row) => {
    const [worst] = row.toSorted((a, b) => shortfall(b) - shortfall(a)) as [Figure];
    const { what, label, value, direction, reach, write } = worst;
    const missed = row.filter((figure) => shortfall(figure) > 0).length;
    const others = missed > 1 ? `; ${missed} of ${row.length} missed` : '';
    const bars = new Set([worst, ...row].map(({ words }) => words));
    return {
      what,
      /** All bars of the row, first the bar of the figure in `measured`. */
      bar: reach === 0 ? 'none' : `${direction} ${[...bars].join(' / ')}`,
      /** The figure that is furthest from its bar. */
      measured: `${write(value)}${label && ` (${label})`}${others}`,
      holds: missed === 0,
    };
  });
}

/** Returns how far a figure is beyond its bar and its error, in shares of the bar; NaN counts as without end. */
function shortfall({ direction, value, reach, error }: Figure): number {
  const beyond = direction === 'at least' ? reach - error - value : value - error - reach;
  const share = reach === 0 ? beyond : beyond / reach;
  return Number.isNaN(share) ? Number.POSITIVE_INFINITY : share;
}
