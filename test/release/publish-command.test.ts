/** `snapshot publish`: from a source or a folder to local storage. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSnapshotTool } from '../support/snapshot-tool.ts';

const tool = useSnapshotTool();

describe('publish', () => {
  it('puts a source live, then says that it is', async () => {
    const first = await tool.snapshot(['publish', '--source', tool.goodFile]);
    const remark = 'Nothing is live yet: all 3 stores are new\n';
    expect(first).toMatchObject({ code: 0, stderr: remark });
    expect(first.stdout).toMatch(
      /^development: release 1-[0-9a-f]{16} \(3 stores\) is live, the first one\nUploaded \d+ objects \(\d+ kB\)\n$/,
    );
    const second = await tool.snapshot(['publish', '--source', tool.goodFile, '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      environment: 'development',
      dryRun: false,
      alreadyLive: true,
      storeCount: 3,
      uploaded: { objects: 0, bytes: 0 },
    });
  });

  it('puts a folder live, in the environment named and in no other', async () => {
    const out = join(tool.folder, 'out');
    await tool.snapshot(['build', '--source', tool.goodFile, '--out', out]);
    const args = ['publish', '--snapshot', out, '--json', '--env'];
    const outcomes = [];
    for (const environment of ['staging', 'production', 'staging']) {
      const { code, stdout } = await tool.snapshot([...args, environment]);
      expect(code).toBe(0);
      outcomes.push(JSON.parse(stdout));
    }
    const release = outcomes[0].release;
    expect(
      outcomes.map(({ environment, alreadyLive, previous }) => [
        environment,
        alreadyLive,
        previous,
      ]),
    ).toEqual([
      ['staging', false, null],
      ['production', false, null],
      ['staging', true, release],
    ]);
    const { stderr } = await tool.snapshot(['publish', '--snapshot', out, '--env', 'staging']);
    expect(stderr).toContain('(staging on this machine, which partners do not reach;');
  });

  it('of a faulty source leaves what is live, unless faulty stores are skipped', async () => {
    const live = JSON.parse(
      (await tool.snapshot(['publish', '--source', tool.goodFile, '--json'])).stdout,
    );
    const refused = await tool.snapshot(['publish', '--source', tool.faultyFile, '--json']);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'faulty_source' } });
    const skipping = await tool.snapshot([
      'publish',
      '--source',
      tool.faultyFile,
      '--skip-invalid',
      '--force',
      '--json',
    ]);
    expect(skipping.code).toBe(0);
    expect(JSON.parse(skipping.stdout)).toMatchObject({
      storeCount: 1,
      previous: live.release,
      validation: { faulty: 2 },
    });
  });
});
