/** The real wrangler before the stand-in: it reads what we wrote, and we read what it wrote. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OFFLINE_VARIABLES, wranglerProgram } from '../../scripts/cli/platform.ts';
import { objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { writeRemoteConfig } from '../support/cloudflare/remote-config.ts';
import { openKv, openStandIn } from '../support/cloudflare/stage.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const run = promisify(execFile);

/** No text in any encoding, the byte order mark and a line break included. */
const BYTES = Uint8Array.from([0xef, 0xbb, 0xbf, 0, 255, 128, 10, 13, 10, 0xc3]);
const BASE64 = '77u/AP+ACg0Kww==';
const KEY = objectKey(GENERATION, '0123456789abcdef'.repeat(2));

const standIn = await openStandIn();
const folder = temporaryFolder();
const config = await writeRemoteConfig(folder, 'kv');

/** What wrangler prints; fails when wrangler does. */
async function wrangler(...args: string[]): Promise<Buffer> {
  const common = ['--remote', '--config', config, '--env', 'staging'];
  const { stdout } = await run(process.execPath, [wranglerProgram(), ...args, ...common], {
    cwd: folder,
    encoding: 'buffer',
    env: { ...process.env, ...OFFLINE_VARIABLES, ...standIn.variables },
  });
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
