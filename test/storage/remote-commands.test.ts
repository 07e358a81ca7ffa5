/** `--remote` of the commands on releases before a stand-in of Cloudflare's API; tokens/secrets.test.ts has those on tokens. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POINTER_KEY } from '../../src/snapshot/keys.ts';
import { callTool } from '../support/call-tool.ts';
import { writeRemoteConfig } from '../support/cloudflare/remote-config.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { OTHER_VERSION, otherVersionValues } from '../support/other-version.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const standIn = await openStandIn();
const folder = temporaryFolder();
async function exportOf(from: number, to: number): Promise<string> {
  const file = join(folder, `${from}-${to}.ndjson`);
  await writeFile(file, ndjson(storesFrom(from, to)));
  return file;
}
const [first, second, third] = [await exportOf(1, 8), await exportOf(2, 9), await exportOf(1, 10)];

/** Runs a command on remote staging and returns what it prints as JSON. */
function remoteRunner(store: 'kv' | 'r2') {
  return async (...args: string[]) => {
    const config = await writeRemoteConfig(folder, store);
    const env = {
      ...standIn.variables,
      STORE_DIRECTORY_CONFIG: config,
      STORE_DIRECTORY_STATE: folder,
    };
    const all = [...args, '--env', 'staging', '--remote', '--json'];
    const { code, stdout, stderr } = await callTool('snapshot', all, { env });
    if (code === 1) throw new Error(stdout);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
}

const STORED = {
  kv: () => standIn.snapshots.values,
  r2: () => standIn.bucket.objects,
} as const;

describe.each(['kv', 'r2'] as const)('snapshots in %s', (store) => {
  const run = remoteRunner(store);

  it('are published, compared, listed, inspected, rolled back and pruned', async () => {
    const dry = await run('publish', '--source', first, '--dry-run');
    expect(STORED[store]().size).toBe(0);
    const { release, uploaded } = await run('publish', '--source', first);
    expect({ release, uploaded }).toEqual({ release: dry.release, uploaded: dry.uploaded });
    // Objects, the release by its name, the pointer, the time of the run, and in R2 the log.
    expect(STORED[store]().size).toBe(uploaded.objects + (store === 'kv' ? 3 : 4));
    expect(await run('diff', '--source', second)).toMatchObject({
      live: release,
      added: [{ id: storeId(9) }],
      removed: [{ id: storeId(1) }],
      changed: [],
    });
    expect((await run('list')).entries).toMatchObject([{ release, state: 'live', storeCount: 8 }]);
    expect(await run('inspect', '--store', 'store-3')).toMatchObject({ id: storeId(3) });
    const next = await run('publish', '--source', second);
    const hold = { note: 'bad export' };
    const back = await run('rollback', '--note', hold.note);
    expect(back).toMatchObject({ from: next.release, to: release, number: 3, hold });
    expect(await run('resume')).toMatchObject({ resumed: true });
    const last = await run('publish', '--source', third);
    expect(await run('prune')).toMatchObject({ deletedReleases: [], deletedObjects: 0 });
    const pointer = STORED[store]().get(POINTER_KEY);
    expect(JSON.parse(String(pointer))).toMatchObject({
      number: 5,
      manifest: { release: last.release },
      before: { manifest: { release } },
    });
  });
});

describe('another version', () => {
  it('is found with all its keys, a week after its last run', async () => {
    const run = remoteRunner('kv');
    await run('publish', '--source', first);
    for (const [key, bytes] of otherVersionValues('2026-01-01T00:00:00.000Z')) {
      await openKv(standIn).put(key, bytes);
    }
    // A real one waits for minutes until no reader goes by the pointer; versions.test.ts has it.
    const rehearsal = ['--version', String(OTHER_VERSION), '--dry-run'];
    expect(await run('prune', ...rehearsal)).toEqual({
      environment: 'staging',
      dryRun: true,
      version: OTHER_VERSION,
      keys: 9,
    });
  });
});
