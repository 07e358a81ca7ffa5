/** When a bar of the benchmark counts as missed. */
import { expect, it } from 'vitest';
import { Findings, judge } from '../../bench/report/findings.ts';
import { times } from '../../bench/report/format.ts';

it.each([
  ['reaches it', 'atLeast', 0.85, true],
  ['is below', 'atLeast', 0.84, false],
  ['is below by no more than its error', 'atLeast', { median: 0.84, error: 0.01 }, true],
  ['is below by more than its error', 'atLeast', { median: 0.83, error: 0.01 }, false],
  ['is no number', 'atLeast', Number.NaN, false],
  ['is above', 'atMost', 0.86, false],
  ['is above by no more than its error', 'atMost', { median: 0.86, error: 0.02 }, true],
  ['is no number', 'atMost', Number.NaN, false],
] as const)('a figure that %s, of a bar %s, is judged so', (_, direction, value, holds) => {
  const findings = new Findings();
  findings[direction]('share', times, '', value, 0.85);
  expect(judge(findings.figures)).toMatchObject([{ holds }]);
});
