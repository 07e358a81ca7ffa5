/** Says of figures that they come from a run of their own. */
import type { Regime } from '../regimes.ts';
import { count } from './format.ts';
import type { SizeResult } from './results.ts';

/** A sentence and a blank, or nothing. */
export function measuredApart({ apart }: SizeResult, regime: Regime): string {
  const mark = apart?.[regime];
  if (!mark) return '';
  const { date, commit, yardstick } = mark;
  const machine = yardstick
    ? `; there the constant answer of 0.9 MB took ${count(yardstick.median)} µs of CPU`
    : '';
  return `Measured by itself on ${date}, commit ${commit}${machine}. `;
}

/** The same as a paragraph, if there is something to say. */
export function apartLine(size: SizeResult, regime: Regime): string[] {
  const line = measuredApart(size, regime).trim();
  return line ? [line] : [];
}
