/** Says of a section that it comes from a run of its own. */
import type { Regime } from '../regimes.ts';
import type { SizeResult } from './results.ts';

/** A sentence and a blank, or nothing. */
export function measuredApart({ apart }: SizeResult, regime: Regime): string {
  const mark = apart?.[regime];
  return mark ? `Measured by itself on ${mark.date}, commit ${mark.commit}. ` : '';
}
