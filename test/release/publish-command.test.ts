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
    const second = await tool.json(['publish', '--source', tool.goodFile]);
    expect(second.data).toMatchObject({
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
    const args = ['publish', '--snapshot', out, '--env'];
    const outcomes = [];
    for (const environment of ['staging', 'production', 'staging']) {
      const { code, data } = await tool.json([...args, environment]);
      expect(code).toBe(0);
      outcomes.push(data);
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
    const live = await tool.json(['publish', '--source', tool.goodFile]);
    const refused = await tool.json(['publish', '--source', tool.faultyFile]);
    expect(refused).toMatchObject({ code: 1, data: { error: { code: 'faulty_source' } } });
    const order = ['publish', '--source', tool.faultyFile, '--skip-invalid', '--force'];
    const skipping = await tool.json(order);
    expect(skipping).toMatchObject({
      code: 0,
      data: { storeCount: 1, previous: live.data.release, validation: { faulty: 2 } },
    });
  });
});
