/** `snapshot list`, `inspect`, `rollback` and `prune` on local storage. */
import { describe, expect, it } from 'vitest';
import { storeId } from '../shared/store-builder.ts';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

describe('the commands on releases', () => {
  const tool = useSnapshotTool();

  async function run(...args: string[]) {
    const { code, stdout, stderr } = await tool.snapshot([...args, '--json']);
    return { code, stderr, data: JSON.parse(stdout) };
  }

  /** Publishes stores 1 to 3, then 1 to 4; returns the ids of both releases. */
  async function publishTwice(): Promise<[string, string]> {
    const four = ndjson(storesFrom(1, 4));
    const first = await tool.snapshot(['publish', '--source', tool.goodFile, '--json']);
    const second = await tool.snapshot(['publish', '--source', '-', '--json'], four);
    return [JSON.parse(first.stdout).release, JSON.parse(second.stdout).release];
  }

  it('list and inspect what is in local storage', async () => {
    expect((await tool.snapshot(['list'])).stdout).toBe('No releases.\n');
    const [first, second] = await publishTwice();
    const listed = (await run('list')).data;
    expect(listed.live.release).toBe(second);
    expect(listed.releases).toMatchObject([
      { release: second, state: 'live', storeCount: 4, locationCount: 4 },
      { release: first, state: 'kept', storeCount: 3 },
    ]);
    expect(listed.releases[0].wentLiveAt).toBe(listed.live.publishedAt);
    const inspected = (await run('inspect', first.slice(0, 5))).data;
    const { bytes } = listed.releases[1];
    expect(inspected).toMatchObject({ release: first, storeCount: 3, totalBytes: bytes });
    const store = await tool.snapshot(['inspect', '--store', 'store-4']);
    expect(JSON.parse(store.stdout)).toMatchObject({
      id: storeId(4),
      localization: { current: 'fr' },
    });
    const unknown = await run('inspect', first, '--store', 'store-4');
    expect(unknown).toMatchObject({ code: 1, data: { error: { code: 'store_unknown' } } });
  });

  it('go back, prune, and refuse what was withdrawn', async () => {
    const [first, second] = await publishTwice();
    expect((await run('rollback')).data).toMatchObject({ from: second, to: first, turned: true });
    const table = (await tool.snapshot(['list'])).stdout;
    expect(table).toMatch(new RegExp(`^${first}  live .*\\n${second}  withdrawn `, 'm'));
    // What was live before the rollback stays: the pointer names it.
    const planned = (await run('prune', '--keep', '1', '--dry-run')).data;
    expect(planned).toMatchObject({ dryRun: true, kept: [first, second], dropped: [] });
    const five = ndjson(storesFrom(1, 5));
    const third = await tool.snapshot(['publish', '--source', '-', '--json'], five);
    const last = JSON.parse(third.stdout).release;
    const pruned = (await run('prune', '--keep', '1')).data;
    expect(pruned).toMatchObject({ kept: [last, first], dropped: [second] });
    const four = ndjson(storesFrom(1, 4));
    const again = await tool.snapshot(['publish', '--source', '-'], four);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('was withdrawn by');
    const forced = await tool.snapshot(['publish', '--source', '-', '--force'], four);
    expect(forced.code).toBe(0);
    expect((await run('list')).data.releases[0]).toMatchObject({ release: second, state: 'live' });
  });

  it.each([
    [['rollback', 'x'], 2],
    [['inspect'], 1],
    [['rollback'], 1],
    [['prune', '--keep', '0'], 2],
    [['prune', '--version', '2'], 1],
    [['prune', '--version', '1'], 2],
    [['prune', '--version', '3'], 2],
    [['prune', '--version', 'v2'], 2],
    [['prune', '--version', '2', '--keep', '3'], 2],
    [['list', 'x'], 2],
    [['list', '--remote'], 2],
  ])('refuse %j with exit code %i', async (args, exitCode) => {
    const { code, stdout } = await tool.snapshot(args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  });
});
