/** What a publication to local storage leaves behind when it is interrupted, and when it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { readHead } from '../../scripts/release/log.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { chooseTarget } from '../../scripts/storage/open-target.ts';
import { INTENT_PREFIX } from '../../src/snapshot/keys.ts';
import { callTool } from './call-tool.ts';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { endStorage } from './kept-storage.ts';
import { survivors } from './process-group.ts';
import { programOf } from './run-tool.ts';
import { stoppedAtUpload } from './stopped-publication.ts';

let folder: string;
let platform: Platform;
let target: SnapshotTarget;
let environment: Record<string, string>;
let source: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interruption-'));
  environment = { STORE_DIRECTORY_STATE: join(folder, 'state'), TMPDIR: join(folder, 'tmp') };
  source = join(folder, 'stores.ndjson');
  await mkdir(join(folder, 'tmp'));
  await writeFile(source, ndjson(storesFrom(1, 30)));
  vi.stubEnv('STORE_DIRECTORY_STATE', join(folder, 'state'));
  platform = await openPlatform('staging');
  target = chooseTarget(platform.env);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.dispose();
  await endStorage();
  await rm(folder, { recursive: true, force: true });
});

async function intents(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of target.ledger.list(INTENT_PREFIX)) keys.push(key);
  return keys;
}

/** Folders that publications work in. */
async function workFolders(): Promise<string[]> {
  const names = await readdir(join(folder, 'tmp'));
  return names.filter((name) => name.startsWith('store-snapshot-'));
}

/** Starts a publisher, in a process group of its own, and waits until it has written its intent. */
async function startPublishing() {
  const program = programOf('snapshot');
  const args = [program, 'publish', '--source', source, '--env', 'staging', '--json'];
  const publisher = spawn(process.execPath, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...environment, ...stoppedAtUpload('before') },
  });
  const output = text(publisher.stdout);
  while (publisher.exitCode === null && (await intents()).length === 0) await sleep(25);
  expect(publisher.exitCode).toBeNull();
  return { publisher, output };
}

describe('a publication to local storage', () => {
  it.each([
    ['Ctrl-C, which all its processes hear', 'SIGINT', -1],
    ['SIGTERM', 'SIGTERM', 1],
    ['a terminal that is closed', 'SIGHUP', -1],
  ] as const)('ends on %s, says so and leaves nothing', async (_what, signal, group) => {
    const { publisher, output } = await startPublishing();
    process.kill(group * (publisher.pid as number), signal);
    const [code] = await once(publisher, 'exit');
    expect(JSON.parse(await output).error).toEqual({
      code: 'interrupted',
      message: expect.stringMatching(
        /^interrupted: staging, on this machine: release \S+ is not live, nothing is$/,
      ),
      live: false,
    });
    expect(code).toBe(130);
    expect(await intents()).toEqual([]);
    expect(await workFolders()).toEqual([]);
    expect(await readHead(target.ledger)).toBeNull();
  });

  it.skipIf(process.platform !== 'linux')('that is killed: the next run clears up', async () => {
    const { publisher } = await startPublishing();
    publisher.kill('SIGKILL');
    await once(publisher, 'exit');
    expect(await intents()).toHaveLength(1);
    expect(await workFolders()).toHaveLength(1);
    while ((await survivors(publisher)).length > 0) await sleep(50);
    const run = (...args: string[]) =>
      callTool('snapshot', [...args, '--env', 'staging', '--json'], { env: environment });
    // Its intent counts for a day, and keeps nobody from anything.
    expect((await run('prune')).code).toBe(0);
    expect(await intents()).toHaveLength(1);
    expect((await run('diff', '--source', source)).code).toBe(0);
    expect(await workFolders()).toEqual([]);
  });
});
