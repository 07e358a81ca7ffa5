/** The command of the benchmark: how it is asked, and how it refuses. */
import { describe, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';

describe('npm run bench', () => {
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
