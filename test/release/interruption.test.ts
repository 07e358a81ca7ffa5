/**
 * A publication to local storage that is interrupted or killed, as people start it and as a job does:
 * it says whether its release is live, goes on to nothing, and leaves no folder behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { readHead } from '../../scripts/release/log.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { chooseTarget } from '../../scripts/storage/open-target.ts';
import { LAST_RUN_KEY, OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { callTool } from '../support/call-tool.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { emptyStorage, endStorage } from '../support/kept-storage.ts';
import { programOf } from '../support/run-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';
import { keysOf } from '../support/target-contract.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const STOP = pathToFileURL(resolve(import.meta.dirname, 'support/stop-at-upload.ts')).href;

const folder = temporaryFolder();
const environment = {
  STORE_DIRECTORY_STATE: join(folder, 'state'),
  TMPDIR: join(folder, 'tmp'),
  NO_COLOR: '1',
};
const source = join(folder, 'stores.ndjson');
let platform: Platform;
let target: SnapshotTarget;
const started: ChildProcess[] = [];

beforeAll(async () => {
  await mkdir(environment.TMPDIR);
  await writeFile(source, ndjson(storesFrom(1, 30)));
  vi.stubEnv('STORE_DIRECTORY_STATE', environment.STORE_DIRECTORY_STATE);
  platform = await openPlatform('staging');
  target = chooseTarget('staging', platform.env);
});

afterEach(async () => {
  for (const { pid } of started.splice(0)) {
    try {
      // What a failed test left running.
      process.kill(-(pid as number), 'SIGKILL');
    } catch {
      // No process is left.
    }
  }
  await emptyStorage();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform?.dispose();
  await endStorage();
});

/** How many objects lie in storage. */
const countObjects = async () => (await keysOf(target.objects, OBJECT_PREFIX)).length;

/** Folders that publications work in. */
async function workFolders(): Promise<string[]> {
  const names = await readdir(join(folder, 'tmp'));
  return names.filter((name) => name.startsWith('store-snapshot-'));
}

/** How a publisher is started: by people through npm, by jobs often without it. */
const STARTS = {
  npm: ['npm', 'run', '--silent', 'snapshot', '--'],
  node: [process.execPath, programOf('snapshot')],
} as const;

/** A publisher in a process group of its own that has stopped when it had written an object, until it is interrupted. */
async function startStopped(by: keyof typeof STARTS) {
  const stopped = join(folder, 'stopped');
  await rm(stopped, { force: true });
  const [program, ...before] = STARTS[by];
  const publish = ['publish', '--source', source, '--env', 'staging'];
  const stops = { NODE_OPTIONS: `--import=${STOP}`, STOPPED_FILE: stopped };
  const publisher = spawn(program, [...before, ...publish], {
    cwd: PROJECT,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment, ...stops },
  });
  started.push(publisher);
  // Settled when no process of the group can write any more.
  const errors = text(publisher.stderr);
  const exit = once(publisher, 'exit');
  while (!existsSync(stopped)) {
    if (publisher.exitCode !== null) throw new Error(await errors);
    await sleep(20);
  }
  expect(await countObjects()).toBeGreaterThan(0);
  expect(await workFolders()).toHaveLength(1);
  return { publisher, errors, exit };
}

/** Waits until no process of the group of `publisher` runs any more: all but zombies. */
async function untilAllEnded({ pid }: ChildProcess): Promise<void> {
  for (let isRunning = true; isRunning; ) {
    const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const stats = numbers.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''));
    isRunning = (await Promise.all(stats)).some((stat) => {
      const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(group) === pid && state !== 'Z';
    });
    if (isRunning) await sleep(50);
  }
}

/** Neither by the log nor by the pointer that the service reads. */
async function expectNothingLive(): Promise<void> {
  const pointer = await target.objects.get(POINTER_KEY);
  expect([await readHead(target.ledger), pointer]).toEqual([null, null]);
}

describe.skipIf(process.platform === 'win32')('a publication to local storage', () => {
  it.each([
    ['SIGTERM to npm', 'npm', 'SIGTERM', 1],
    ['Ctrl-C, which all its processes hear', 'npm', 'SIGINT', -1],
    ['a terminal that is closed, without npm', 'node', 'SIGHUP', -1],
  ] as const)('ends on %s, says so and leaves nothing', async (_what, by, signal, group) => {
    const { publisher, errors, exit } = await startStopped(by);
    process.kill(group * (publisher.pid as number), signal);
    const [code] = await exit;
    expect((await errors).trim().split('\n').at(-1)).toMatch(
      /^error: interrupted: staging, on this machine: release \S+ is not live, nothing is$/,
    );
    expect(code).toBe(130);
    if (process.platform === 'linux') await untilAllEnded(publisher);
    expect(await workFolders()).toEqual([]);
    await expectNothingLive();
    expect(await target.objects.get(LAST_RUN_KEY)).toBeNull();
  });

  it.skipIf(process.platform !== 'linux')(
    'that is killed: a run of the next day clears up',
    async () => {
      const { publisher, exit } = await startStopped('node');
      publisher.kill('SIGKILL');
      await exit;
      await untilAllEnded(publisher);
      const [left, ...others] = await workFolders();
      expect(others).toEqual([]);
      const run = (...args: string[]) =>
        callTool('snapshot', [...args, '--env', 'staging', '--json'], { env: environment });
      // Its objects stay as long as another one may still name them: nothing was ever live here.
      expect((await run('prune')).code).toBe(0);
      expect(await countObjects()).toBeGreaterThan(0);
      expect((await run('diff', '--source', source)).code).toBe(0);
      expect(await workFolders()).toEqual([left]);
      const yesterday = new Date(Date.now() - 25 * 3600_000);
      await utimes(join(folder, 'tmp', left as string), yesterday, yesterday);
      expect((await run('diff', '--source', source)).code).toBe(0);
      expect(await workFolders()).toEqual([]);
    },
  );
});
