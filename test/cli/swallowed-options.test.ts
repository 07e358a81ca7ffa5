/** Options that were typed without the `--` before them, so that npm took them. */
import { describe, expect, it } from 'vitest';
import { callTool } from '../support/call-tool.ts';
import { runProcess } from '../support/run-tool.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';

const tool = useSnapshotTool();

/** What npm leaves in the environment of a script. */
const within = (variables: Readonly<Record<string, string>>) => ({
  env: { STORE_DIRECTORY_STATE: tool.state, npm_lifecycle_event: 'snapshot', ...variables },
});

describe('an option that npm has taken', () => {
  it.each([
    [['rollback'], { npm_config_env: 'production', npm_config_remote: 'true' }, '--env, --remote'],
    [['rollback', 'production'], { npm_config_env: 'true' }, '--env'],
    [['publish', "o'clock.ndjson"], { npm_config_source: 'true' }, '--source'],
  ])('%j %j is refused with how to type it', async (args, variables, names) => {
    const { code, stdout, stderr } = await callTool('snapshot', args, within(variables));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const told = Object.keys(variables).join(', ');
    expect(stderr).toBe(
      `error: npm has taken ${names} for itself (it has set ${told}): begin with "npm run snapshot -- ${args[0]}", then type the options\n`,
    );
  });

  it('is refused before anything that is missing for want of it', async () => {
    const { code, stderr } = await callTool(
      'token',
      ['issue'],
      within({ npm_config_partner: 'Acme' }),
    );
    expect(code).toBe(2);
    expect(stderr).toContain('begin with "npm run token -- issue"');
  });

  it('is no matter where npm does not run the command, or has taken what the command does not take', async () => {
    const alone = within({ npm_config_env: 'production', npm_lifecycle_event: '' });
    expect((await callTool('snapshot', ['list'], alone)).code).toBe(0);
    const other = within({ npm_config_source: 'x' });
    expect((await callTool('snapshot', ['list'], other)).code).toBe(0);
  });

  it('is refused as npm itself leaves it', async () => {
    const { env } = within({});
    const line = ['run', 'snapshot', 'rollback', '--env=staging', '--remote'];
    const { code, stderr } = await runProcess('npm', line, { env });
    expect(code).toBe(2);
    expect(stderr).toContain('begin with "npm run snapshot -- rollback", then type the options');
  });
});
