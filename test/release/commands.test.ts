/** `snapshot publish`, `list`, `inspect`, `rollback`, `resume`, `prune` and `purge` on local storage. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { chooseRollback, rollBack } from '../../scripts/release/roll-back.ts';
import { deleteAll, listKeys } from '../../scripts/storage/key-value-store.ts';
import { FORMAT_VERSION, OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { inStorage } from '../support/kept-storage.ts';
import { useSnapshotTool } from '../support/snapshot-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { hiddenStore } from '../support/stores/store-variants.ts';

describe('the commands on releases', () => {
  const tool = useSnapshotTool();

  beforeAll(() => void vi.stubEnv('STORE_DIRECTORY_STATE', tool.state));

  const run = (...args: string[]) => tool.json(args);

  /** What the tool is given to publish stores 1 to `last`. */
  const publishing = (last: number) =>
    [['publish', '--source', '-'], ndjson(storesFrom(1, last))] as const;

  it('publish a source, which is live then, and found to be so', async () => {
    const first = await tool.snapshot(['publish', '--source', tool.goodFile]);
    const remark = 'Nothing is live yet: all 3 stores are new\n';
    expect(first).toMatchObject({ code: 0, stderr: remark });
    expect(first.stdout).toMatch(
      /^development: release 1-[0-9a-f]{16} \(3 stores\) is live, the first one\nUploaded \d+ objects \(\d+ kB\)\n$/,
    );
    const second = await run('publish', '--source', tool.goodFile);
    expect(second.data).toMatchObject({
      environment: 'development',
      dryRun: false,
      alreadyLive: true,
      storeCount: 3,
      uploaded: { objects: 0, bytes: 0 },
    });
  });

  it('publish a folder in the environment that is named and in no other', async () => {
    const out = join(tool.folder, 'out');
    await tool.snapshot(['build', '--source', tool.goodFile, '--out', out]);
    for (const [env, alreadyLive] of [
      ['staging', false],
      ['development', false],
      ['staging', true],
    ] as const) {
      const { data } = await run('publish', '--snapshot', out, '--env', env);
      const previous = alreadyLive ? data.release : null;
      expect(data).toMatchObject({ environment: env, alreadyLive, previous });
    }
    const { stdout } = await tool.snapshot(['publish', '--snapshot', out, '--env', 'staging']);
    expect(stdout).toMatch(/^staging, on this machine: release /);
  });

  it('publish no faulty source, unless faulty stores are skipped', async () => {
    const live = await run('publish', '--source', tool.goodFile);
    const publish = ['publish', '--source', tool.faultyFile];
    const refused = await run(...publish);
    expect(refused).toMatchObject({ code: 1, data: { error: { code: 'faulty_source' } } });
    expect(await run(...publish, '--skip-invalid', '--force')).toMatchObject({
      code: 0,
      data: { storeCount: 1, previous: live.data.release, validation: { faulty: 2 } },
    });
  });

  /** Publishes stores 1 to 3, then 1 to 4; returns the ids of both releases. */
  async function publishTwice(): Promise<[string, string]> {
    const first = await tool.json(...publishing(3));
    const second = await tool.json(...publishing(4));
    return [first.data.release, second.data.release];
  }

  it('list and inspect what is in local storage', async () => {
    expect((await tool.snapshot(['list'])).stdout).toBe(
      'development: nothing was ever published here\n',
    );
    const [first, second] = await publishTwice();
    const listed = (await run('list')).data;
    expect(listed).toMatchObject({ environment: 'development', hold: null });
    expect(listed.entries).toMatchObject([
      { name: `2-${second}`, number: 2, kind: 'publish', state: 'live', storeCount: 4 },
      { name: `1-${first}`, number: 1, kind: 'publish', state: 'kept', storeCount: 3 },
    ]);
    expect((await run('list', '--entries', '1')).data.entries).toHaveLength(1);
    const inspected = (await run('inspect', first.slice(0, 5))).data;
    const { bytes } = listed.entries[1];
    expect(inspected).toMatchObject({ release: first, storeCount: 3, totalBytes: bytes });
    const store = await tool.snapshot(['inspect', '--store', 'store-4']);
    expect(JSON.parse(store.stdout)).toMatchObject({
      id: storeId(4),
      localization: { current: 'fr' },
    });
    const unknown = await run('inspect', first, '--store', 'store-4');
    expect(unknown).toMatchObject({ code: 1, data: { error: { code: 'store_unknown' } } });
  });

  it('go back, hold, resume and purge', async () => {
    const [first, second] = await publishTwice();
    await run('rollback', '--note', 'bad export');
    const table = (await tool.snapshot(['list'])).stdout;
    expect(table).toMatch(/^RELEASE +STATE +WHAT +WHEN +BY +STORES +SIZE +NOTE$/m);
    expect(table).toMatch(new RegExp(`^3-${first}  live +rollback .* bad export`, 'm'));
    expect(table).toContain('Publishing is held since');
    const held = await tool.snapshot(...publishing(5));
    expect(held).toMatchObject({ code: 1, stdout: '' });
    expect(held.stderr).toContain('publishing is held since');
    expect(held.stderr).toContain('bad export');
    expect((await run('resume')).data).toEqual({ environment: 'development', resumed: true });
    expect((await run('resume')).data).toMatchObject({ resumed: false });
    const third = await tool.json(...publishing(5));
    const last = third.data.release;
    const asked = await tool.snapshot(['purge']);
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('No rollback is possible');
    expect(asked.stderr).toContain(`keeps release 5-${last} alone`);
    expect(asked.stderr).toContain('uploaded once more');
    const planned = { environment: 'development', live: last, purged: [first, second] };
    const message = 'nothing was deleted: give --yes to delete it';
    expect((await run('purge')).data).toEqual({
      error: { ...planned, code: 'usage', message },
    });
    const purge = (await run('purge', '--yes')).data;
    expect(purge).toMatchObject(planned);
    expect(purge.deletedReleases).toHaveLength(5);
    expect(purge.deletedGenerations).toHaveLength(1);
    const states = (await tool.snapshot(['list'])).stdout.match(/(?<=^\d+-\w+ {2})\w+/gm);
    expect(states).toEqual(['live', 'gone', 'gone', 'gone', 'gone', 'gone']);
  });

  it('warn of stores that a rollback would show again', async () => {
    await tool.snapshot(...publishing(4));
    const hidden = ndjson([...storesFrom(1, 2), hiddenStore(3)]);
    await tool.snapshot(['publish', '--source', '-', '--force'], hidden);
    const { stdout, stderr } = await tool.snapshot(['rollback']);
    expect(stdout).toMatch(/release \d+-[0-9a-f]{16} .* is live again .*, after \d+-[0-9a-f]{16}/);
    expect(stderr.split('\n')).toEqual([
      `warning: 1 store removed since then will be there again: ${storeId(4)}`,
      `warning: 1 store hidden since then will show an address again: ${storeId(3)}`,
      '',
    ]);
  });

  it('go back although what a warning is made from is gone', async () => {
    await tool.snapshot(...publishing(3));
    const keys = () => inStorage(({ objects }) => listKeys(objects, OBJECT_PREFIX));
    const first = await keys();
    await tool.snapshot(...publishing(4));
    const fresh = (await keys()).filter((key) => !first.includes(key));
    await inStorage(({ objects }) => deleteAll(objects, fresh));
    expect(await run('rollback')).toMatchObject({ code: 0, data: { number: 3, returning: null } });
  });

  it.each([
    [['rollback', 'x']],
    [['prune', '--keep', '9']],
    [['prune', '--version', '0']],
    [['prune', '--version', String(FORMAT_VERSION)]],
    [['prune', '--version', 'v2']],
    [['publish', '--source', '-', '--resume']],
    [['rollback', '--no-hold']],
    [['list', 'x']],
    [['list', '--entries', '0']],
    [['list', '--entries', '9'.repeat(17)]],
    [['rollback', '--note', ' ']],
    [['rollback', '--note', 'two\nlines']],
    [['resume', '--author', '\u001b[2J']],
    [['publish', '--source', '-', '--note', 'x'.repeat(301)]],
  ])('refuse %j with exit code 2', async (args) => {
    expect(await tool.snapshot(args)).toMatchObject({ code: 2, stdout: '' });
  });

  it('show what other tools wrote into the log without letting it reach the terminal', async () => {
    const signature = { by: 'ops\u001b[2J', note: 'up\ndown' };
    await publishTwice();
    await inStorage(async (target) =>
      rollBack(target, await chooseRollback(target, null), signature),
    );
    const listed = (await tool.snapshot(['list'])).stdout;
    expect(listed).toContain('up\\u000adown');
    expect(listed).toContain('by ops\\u001b[2J: snapshot resume ends that');
    const held = (await tool.snapshot(...publishing(5))).stderr;
    expect(held).toContain('by ops\\u001b[2J ("up\\u000adown"): release');
    for (const text of [listed, held]) expect(text).not.toContain('\u001b');
  });

  it('refuse what needs a release as long as there is none', async () => {
    for (const args of [['inspect'], ['rollback'], ['prune', '--version', '2'], ['purge']]) {
      expect(await tool.snapshot(args), args[0]).toMatchObject({ code: 1, stdout: '' });
    }
  });
});
