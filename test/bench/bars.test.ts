/** When a bar of the benchmark counts as missed. */
import { expect, it } from 'vitest';
import { Findings, judge } from '../../bench/report/findings.ts';
import { times } from '../../bench/report/format.ts';
import { ratioSpread, spreadOf } from '../../bench/report/statistics.ts';

type Value = Parameters<Findings['atMost']>[3];

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

function rowOf(...figures: [value: Value, reach: number][]) {
  const findings = new Findings();
  for (const [index, [value, reach]] of figures.entries()) {
    findings.atMost('time', times, `case ${index}`, value, reach, 'twice');
  }
  return judge(findings.figures);
}

it('shows the figure that is furthest from its bar, and how many miss it', () => {
  expect(rowOf([3, 2], [9, 4], [1, 2])).toEqual([
    {
      ...{ what: 'time', bar: 'at most twice', holds: false },
      measured: '9.0× (case 1); 2 of 3 missed',
    },
  ]);
  expect(rowOf([0, 0])).toMatchObject([{ bar: 'none', holds: true }]);
});

it('takes ratios within a round, and is not led astray by a disturbed one', () => {
  expect(ratioSpread([1, 2, 30], [2, 4, 3])).toMatchObject({ median: 0.5, error: 0 });
  expect(spreadOf([1, 2, 3, 4, 100]).error).toBeCloseTo((1.2533 * 1.4826) / Math.sqrt(5), 6);
});
