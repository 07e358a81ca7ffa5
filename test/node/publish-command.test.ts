/** `snapshot publish`: from a source or a folder to local storage. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHead } from '../../scripts/release/log.ts';
import { withTarget } from '../../scripts/storage/open-target.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { rankPart } from '../../src/snapshot/manifest.ts';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

const tool = useSnapshotTool();

afterEach(() => vi.unstubAllEnvs());

describe('publish', () => {
  it('puts a source live, then says that it is', async () => {
    const first = await tool.snapshot(['publish', '--source', tool.goodFile]);
    const remark = 'Nothing is live yet: all 3 stores are new\n';
    expect(first).toMatchObject({ code: 0, stderr: remark });
    expect(first.stdout).toMatch(
      /^development: release 1-[0-9a-f]{16} \(3 stores\) is live, the first one\nUploaded \d+ objects \(\d+ kB\), reused 0 objects \(0 B\)\nReaders look for a new release every 1 s\n$/,
    );
    const second = await tool.snapshot(['publish', '--source', tool.goodFile, '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({
      environment: 'development',
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

  it('tells machines what the live release has lost for good', async () => {
    vi.stubEnv('STORE_DIRECTORY_STATE', tool.state);
    await tool.snapshot(['publish', '--source', tool.goodFile]);
    const { signal } = new AbortController();
    const context = { signal, remark: () => {} };
    const lost = await withTarget({ env: 'development' }, context, async (target) => {
      const part = (await readHead(target.ledger))?.manifest.parts[rankPart('slug', null)];
      if (!part) throw new Error('no such part');
      await target.objects.delete(objectKey(part.hash));
      return part.bytes;
    });
    const next = ndjson(storesFrom(1, 4));
    const { code, stdout } = await tool.snapshot(['publish', '--source', '-', '--json'], next);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      mending: { mended: { objects: 0, bytes: 0 }, lost: { objects: 1, bytes: lost } },
      runFailure: null,
    });
  });

  it('of a damaged folder leaves what is live', async () => {
    const out = join(tool.folder, 'out');
    await tool.snapshot(['build', '--source', tool.goodFile, '--out', out]);
    const objects = await readdir(join(out, 'objects'));
    await writeFile(join(out, 'objects', objects[0] as string), 'damaged');
    const { code, stderr } = await tool.snapshot(['publish', '--snapshot', out]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*(damaged|length: got 7, expected)/m);
  });
});
