/** The command of the benchmark: how it is asked, how it refuses, and when a bar counts as missed. */
import { describe, expect, it } from 'vitest';
import { times } from '../../bench/report/figures.ts';
import { Findings, judge } from '../../bench/report/findings.ts';
import { callTool } from '../support/call-tool.ts';

describe('npm run bench', () => {
  it('shows what to type', async () => {
    const { code, stdout } = await callTool('bench', ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: npm run bench --');
    expect(stdout).toContain('  npm run bench -- --quick --against main');
  });

  it.each([
    [['more'], 'too many arguments'],
    [['--quick', '--only', 'get'], "cannot be used with option '--only"],
    [['--sizes', '12'], 'Expected some of 2500, 100000'],
    [['--only', 'nothing'], 'Expected some of get,'],
    [['--regimes', 'warm'], 'Expected some of load,'],
    [['--rounds', '0'], 'Expected an integer from 1'],
  ])('%j ends with 2 and says why', async (args, hint) => {
    const { code, stdout, stderr } = await callTool('bench', args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });

  it('compares with a commit that there is, or says so', async () => {
    const { code, stderr } = await callTool('bench', ['--quick', '--against', 'nowhere']);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no commit nowhere'),
    });
  });
});

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
