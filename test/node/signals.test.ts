/**
 * Signals to `npm run snapshot -- publish`: they reach node, which says whether the release is live
 * and goes on to nothing once npm is gone.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { retryBusy } from '../../scripts/storage/retry-busy.ts';
import {
  LAST_RUN_KEY,
  OBJECT_PREFIX,
  POINTER_KEY,
  SNAPSHOT_PREFIX,
} from '../../src/snapshot/keys.ts';
import { callTool } from './call-tool.ts';
import { storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { endStorage } from './kept-storage.ts';
import { survivors } from './process-group.ts';
import { stoppedAtUpload } from './stopped-publication.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const PUBLISH = ['--env', 'staging'];

let folder: string;
let environment: Record<string, string>;
let platform: Platform;
const started: ChildProcess[] = [];
let snapshot: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signals-'));
  const state = join(folder, 'state');
  environment = { STORE_DIRECTORY_STATE: state, NO_COLOR: '1' };
  snapshot = await build('few', 3);
  vi.stubEnv('STORE_DIRECTORY_STATE', state);
  platform = await openPlatform('staging');
});

beforeEach(async () => {
  for (const name of await keysBelow(SNAPSHOT_PREFIX)) {
    await retryBusy(() => platform.env.SNAPSHOTS.delete(name));
  }
});

/** What a failed test left running. */
afterEach(() => {
  for (const { pid } of started.splice(0)) {
    try {
      process.kill(-(pid as number), 'SIGKILL');
    } catch {
      // Nobody is left.
    }
  }
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.dispose();
  await endStorage();
  await rm(folder, { recursive: true, force: true });
});

/** Local storage is one process's at a time. */
async function keysBelow(prefix: string): Promise<string[]> {
  const { keys } = await retryBusy(() => platform.env.SNAPSHOTS.list({ prefix }));
  return keys.map(({ name }) => name);
}

const read = (key: string) => retryBusy(() => platform.env.SNAPSHOTS.get(key));

async function build(name: string, count: number): Promise<string> {
  const source = join(folder, `${name}.ndjson`);
  await writeFile(source, ndjson(storesFrom(1, count)));
  const args = ['build', '--source', source, '--out', join(folder, name), '--json'];
  expect((await callTool('snapshot', args, { env: environment })).code).toBe(0);
  return join(folder, name);
}

/** Starts the publisher as people do, in a process group of its own. @param more variables */
function startNpm(more: Readonly<Record<string, string>> = {}) {
  const publish = ['run', '--silent', 'snapshot', '--', 'publish', '--snapshot', snapshot];
  const npm = spawn('npm', [...publish, ...PUBLISH], {
    cwd: PROJECT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment, ...more },
  });
  started.push(npm);
  // Settled when nobody of the group can write any more.
  const output = Promise.all([text(npm.stdout), text(npm.stderr)]).then(([out, err]) => ({
    stdout: out,
    stderr: err,
  }));
  return { npm, output, exit: once(npm, 'exit') };
}

/** Waits until a publisher that stops there has written something. */
async function untilItWrites(npm: ChildProcess): Promise<void> {
  // Seldom enough to leave the machine to the publisher, which writes hundreds of objects.
  const look = { prefix: OBJECT_PREFIX, limit: 1 };
  while (npm.exitCode === null) {
    const { keys } = await retryBusy(() => platform.env.SNAPSHOTS.list(look));
    if (keys.length > 0) return;
    await sleep(25);
  }
  throw new Error('the publisher ended before it was interrupted');
}

describe.skipIf(process.platform === 'win32')('npm run snapshot -- publish', () => {
  it.each([
    ['SIGTERM', 1],
    ['SIGINT', 1],
    ['SIGTERM', -1],
    ['SIGINT', -1],
  ] as const)(
    'hears of %s (to npm: 1, to all: -1) and says that nothing went live',
    async (signal, group) => {
      const { npm, output, exit } = startNpm(stoppedAtUpload('after'));
      await untilItWrites(npm);
      process.kill(group * (npm.pid as number), signal);
      const [code] = await exit;
      const { stderr } = await output;
      expect(stderr.trim().split('\n').at(-1)).toMatch(
        /^error: interrupted: staging, on this machine: release \S+ is not live, nothing is$/,
      );
      expect(code).toBe(130);
      await sleep(1_000);
      expect([await read(POINTER_KEY), await read(LAST_RUN_KEY)]).toEqual([null, null]);
    },
  );

  it.skipIf(process.platform !== 'linux')('turns nothing once npm was killed', async () => {
    const { npm, exit } = startNpm(stoppedAtUpload('after'));
    await untilItWrites(npm);
    npm.kill('SIGKILL');
    await exit;
    const killedAt = performance.now();
    while ((await survivors(npm)).length > 0) await sleep(50);
    console.log(
      `all had ended ${Math.round(performance.now() - killedAt)} ms after npm was killed`,
    );
    expect(await read(POINTER_KEY)).toBeNull();
  });

  it('ends with 0 when it is left alone, and notes that it ran', async () => {
    for (const changes of ['is live, the first one', 'is live already']) {
      const before = Date.now();
      const { output, exit } = startNpm();
      const { stdout, stderr } = await output;
      expect([await exit, stderr]).toEqual([
        [0, null],
        expect.stringContaining('(staging on this machine, which partners do not reach;'),
      ]);
      expect(stdout).toContain(changes);
      expect(stdout).toMatch(/^staging, on this machine: release /m);
      const run = JSON.parse((await read(LAST_RUN_KEY)) ?? '');
      expect(Date.parse(run.ranAt)).toBeGreaterThanOrEqual(before);
      expect(stdout).toContain(run.release);
    }
  });
});
