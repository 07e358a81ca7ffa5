/** `snapshot publish`: from a source or a folder to local storage. */
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHead } from '../../scripts/release/log.ts';
import { withTarget } from '../../scripts/storage/open-target.ts';
import { generationPrefix, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const tool = useSnapshotTool();

afterEach(() => vi.unstubAllEnvs());

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

  it('afresh heals a live release that has lost objects, which rollback names before', async () => {
    vi.stubEnv('STORE_DIRECTORY_STATE', tool.state);
    const four = ndjson(storesFrom(1, 4));
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    await tool.snapshot(['publish', '--source', '-'], four);
    const { signal } = new AbortController();
    const context = { signal, remark: () => {} };
    await withTarget({ env: 'development' }, context, async ({ objects, ledger }) => {
      const generation = (await readHead(ledger))?.manifest.generation ?? '';
      for await (const { key } of objects.list(generationPrefix(generation))) {
        await objects.delete(key);
      }
      await objects.delete(POINTER_KEY);
    });
    const back = await tool.snapshot(['rollback', '--json']);
    expect(JSON.parse(back.stdout).error).toMatchObject({
      code: 'release_incomplete',
      missing: [expect.any(String)],
    });
    for (const source of [ndjson(storesFrom(1, 5)), four]) {
      const plain = await tool.snapshot(['publish', '--source', '-'], source);
      // The pointer that is gone would lead to objects that are gone.
      expect(plain.stderr).toMatch(
        /^warning: release \d+-\w+ is live by the log, but \d+ of .* missing, such as [0-9a-f]{32}, .* was not written; publish --afresh/m,
      );
      expect(plain).toMatchObject({ code: 1, stdout: '' });
      expect(plain.stderr).toContain('readers do not see it');
    }
    const healed = await tool.snapshot(['publish', '--source', '-', '--afresh', '--json'], four);
    expect(healed.code).toBe(0);
    const { uploaded, number } = JSON.parse(healed.stdout);
    expect(number).toBe(3);
    expect(uploaded.objects).toBeGreaterThan(3);
    expect((await tool.snapshot(['inspect', '--store', 'store-4'])).code).toBe(0);
  });
});
