/**
 * Commands before a stand-in of Cloudflare's API: `--remote` of ours on releases (tokens/secrets.test.ts has those on
 * tokens), and the real wrangler, which reads what we wrote, and writes what we read.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OFFLINE_VARIABLES, wranglerProgram } from '../../scripts/cli/platform.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { toolWith } from '../support/call-tool.ts';
import { writeRemoteConfig } from '../support/cloudflare/remote-config.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { OTHER_VERSION, otherVersionValues } from '../support/other-version.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
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
    const all = [...args, '--env', 'staging', '--remote'];
    const told = await toolWith('snapshot', env).json(all);
    expect(told).toMatchObject({ code: 0, stderr: '' });
    return told.data;
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

it('another version is found with all its keys, a week after its last run', async () => {
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

/** No text in any encoding, the byte order mark and a line break included. */
const BYTES = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 255, 128, 10, 13, 10, 0xc3]);
const BASE64 = '77u/AP+ACg0Kww==';
const KEY = objectKey(GENERATION, '0123456789abcdef'.repeat(2));

/** What wrangler prints; fails when wrangler does. */
async function wrangler(...args: string[]): Promise<Buffer> {
  const config = await writeRemoteConfig(folder, 'kv');
  const common = ['--remote', '--config', config, '--env', 'staging'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [wranglerProgram(), ...args, ...common],
    {
      cwd: folder,
      encoding: 'buffer',
      env: { ...process.env, ...OFFLINE_VARIABLES, ...standIn.variables },
    },
  );
  return stdout;
}

describe('wrangler', () => {
  it('reads from KV what was written one by one and in bulk, objects as base64', async () => {
    const target = openKv(standIn);
    const uploads = [KEY, 'plain'].map((key) => ({ key, bytes: BYTES.length }));
    await target.putAll(uploads, async (some) => some.map(() => BYTES));
    await target.put(POINTER_KEY, new TextEncoder().encode('{"format":1}'));
    const stored = (key: string) => standIn.snapshots.values.get(key)?.toString();
    expect([stored(KEY), stored(POINTER_KEY)]).toEqual([BASE64, '{"format":1}']);
    await target.put(KEY, BYTES);
    const get = (key: string) => wrangler('kv', 'key', 'get', key, '--binding', 'SNAPSHOTS');
    expect((await get(KEY)).toString()).toBe(BASE64);
    expect(new Uint8Array(await get('plain'))).toEqual(BYTES);
    const list = await wrangler('kv', 'key', 'list', '--binding', 'SNAPSHOTS');
    expect(JSON.parse(list.toString())).toEqual([
      { name: 'plain', metadata: { bytes: BYTES.length } },
      { name: POINTER_KEY, metadata: { bytes: 12 } },
      { name: KEY, metadata: { bytes: BYTES.length } },
    ]);
  });

  it('writes to KV what is read here', async () => {
    const file = join(folder, 'value');
    await writeFile(file, BYTES);
    await wrangler('kv', 'key', 'put', 'plain', '--path', file, '--binding', 'SNAPSHOTS');
    standIn.snapshots.set(KEY, BASE64);
    const target = openKv(standIn);
    expect(await target.get('plain')).toEqual(BYTES);
    expect(await target.get(KEY)).toEqual(BYTES);
  });
});
