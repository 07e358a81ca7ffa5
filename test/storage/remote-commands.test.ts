/**
 * Commands before a stand-in of Cloudflare's API: `--remote` of ours on releases (tokens/secrets.test.ts has those on
 * tokens), and the real wrangler, which reads what we wrote, and writes what we read.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { OFFLINE_VARIABLES, WRANGLER_PROGRAM } from '../../scripts/cli/platform.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { toolWith } from '../support/call-tool.ts';
import { setUp } from '../support/cloudflare/remote-config.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { OTHER_VERSION, otherVersionValues } from '../support/other-version.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const standIn = await openStandIn();
const folder = temporaryFolder();

/** Runs a command on remote staging and returns what it prints as JSON. */
async function run(args: readonly string[], stdin?: string) {
  const env = { ...(await setUp(standIn, folder)), STORE_DIRECTORY_STATE: folder };
  const told = await toolWith('snapshot', env).json(
    [...args, '--env', 'staging', '--remote'],
    stdin,
  );
  expect(told).toMatchObject({ code: 0, stderr: '' });
  return told.data;
}

/** Publishes stores `from` to `to` there. */
const publish = (from: number, to: number, ...more: string[]) =>
  run(['publish', '--source', '-', ...more], ndjson(storesFrom(from, to)));

it('snapshots are published, listed, inspected, rolled back and pruned', async () => {
  const dry = await publish(1, 8, '--dry-run');
  expect(standIn.snapshots.values.size).toBe(0);
  const { release, uploaded } = await publish(1, 8);
  expect({ release, uploaded }).toEqual({ release: dry.release, uploaded: dry.uploaded });
  // Objects, the release by its name, the pointer, the time of the run.
  expect(standIn.snapshots.values.size).toBe(uploaded.objects + 3);
  expect((await run(['list'])).entries).toMatchObject([{ release, state: 'live', storeCount: 8 }]);
  expect(await run(['inspect', '--store', 'store-3'])).toMatchObject({ id: storeId(3) });
  const next = await publish(2, 9);
  const hold = { note: 'bad export' };
  const back = await run(['rollback', '--note', hold.note]);
  expect(back).toMatchObject({ from: next.release, to: release, number: 3, hold });
  expect(await run(['resume'])).toMatchObject({ resumed: true });
  const last = await publish(1, 10);
  expect(await run(['prune'])).toMatchObject({ deletedReleases: [], deletedObjects: 0 });
  const pointer = standIn.snapshots.values.get(POINTER_KEY);
  expect(JSON.parse(String(pointer))).toMatchObject({
    number: 5,
    manifest: { release: last.release },
    before: { manifest: { release } },
  });
});

it('another version is found with all its keys, a week after its last run', async () => {
  await publish(1, 8);
  for (const [key, bytes] of otherVersionValues('2026-01-01T00:00:00.000Z')) {
    await openKv(standIn).put(key, bytes);
  }
  // A real one waits for minutes until no reader goes by the pointer; versions.test.ts has it.
  const rehearsal = ['--version', String(OTHER_VERSION), '--dry-run'];
  expect(await run(['prune', ...rehearsal])).toEqual({
    environment: 'staging',
    dryRun: true,
    version: OTHER_VERSION,
    keys: 5,
  });
});

/** No text in any encoding, the byte order mark and a line break included. */
const BYTES = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 255, 128, 10, 13, 10, 0xc3]);
const BASE64 = '77u/AP+ACg0Kww==';
const KEY = objectKey(GENERATION, '0123456789abcdef'.repeat(2));

/** What wrangler prints; fails when wrangler does. */
async function wrangler(...args: string[]): Promise<Buffer> {
  const variables = await setUp(standIn, folder);
  const common = ['--remote', '--config', variables.STORE_DIRECTORY_CONFIG, '--env', 'staging'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [WRANGLER_PROGRAM, ...args, ...common],
    {
      cwd: folder,
      encoding: 'buffer',
      env: { ...process.env, ...OFFLINE_VARIABLES, ...variables },
    },
  );
  return stdout;
}

it('wrangler reads from KV what was written here, and writes what is read here, objects as base64', async () => {
  const target = openKv(standIn);
  const stored = (key: string) => standIn.snapshots.values.get(key)?.toString();
  await target.put(KEY, BYTES);
  expect(stored(KEY)).toBe(BASE64);
  const uploads = [KEY, 'plain'].map((key) => ({ key, bytes: BYTES.length }));
  await target.putAll(uploads, async (some) => some.map(() => BYTES));
  expect(stored(KEY)).toBe(BASE64);
  const own = ['plain', '--binding', 'SNAPSHOTS'];
  expect(new Uint8Array(await wrangler('kv', 'key', 'get', ...own))).toEqual(BYTES);
  await target.delete('plain');
  const file = join(folder, 'value');
  await writeFile(file, BYTES);
  await wrangler('kv', 'key', 'put', ...own, '--path', file);
  for (const key of ['plain', KEY]) expect(await target.get(key)).toEqual(BYTES);
});
