/** The commands of the benchmark: how they are asked, and how they refuse. */
import { describe, expect, it } from 'vitest';
import { callTool } from './call-tool.ts';

const COMMANDS = ['bench', 'bench:hostile', 'bench:day'];

describe.each(COMMANDS)('npm run %s', (command) => {
  it('shows what to type', async () => {
    const { code, stdout } = await callTool(command, ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: npm run ${command} --`);
    expect(stdout).toContain('--json');
    expect(stdout).toContain('Examples:');
  });

  it.each([['--nonsense'], ['more']])('refuses %s', async (argument) => {
    const { code, stdout } = await callTool(command, [argument]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('tells machines of it', async () => {
    const { code, stdout } = await callTool(command, ['--nonsense', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).error.code).toBe('usage');
  });
});

it.each([
  ['bench', ['--report', '--quick'], "'--report' cannot be used with option '--quick'"],
  ['bench', ['--record', '--quick'], '--record wants a whole measurement'],
  ['bench', ['--record', '--regimes', 'hot'], '--record wants --regimes of'],
  ['bench', ['--minutes', '5'], '--minutes is for --regimes soak'],
  ['bench', ['--sizes', '12'], 'Expected whole numbers from 2500'],
  ['bench', ['--only', 'nothing'], 'Expected some of get,'],
  ['bench', ['--regimes', 'warm'], 'Expected some of hot,'],
  ['bench:hostile', ['--stores', '0'], 'Expected an integer from 2,500 to'],
])('%s %j ends with 2 and says why', async (command, args, hint) => {
  const { code, stdout, stderr } = await callTool(command, args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(hint);
});
