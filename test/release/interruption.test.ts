/**
 * A publication that is interrupted or refused, within our process and as people and jobs start it: it says
 * whether its release is live, goes on to nothing, and leaves no folder behind. And what it notes when it is not.
 */
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CommandError, InterruptedError } from '../../scripts/cli/command-error.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { publicationError, run, writeRun } from '../../scripts/commands/publish.ts';
import { readHead } from '../../scripts/release/log.ts';
import { openLog } from '../../scripts/release/open-log.ts';
import { listKeys, type SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { LAST_RUN_KEY, OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { unsealJson } from '../../src/storage/sealed-json.ts';
import { toolWith } from '../support/call-tool.ts';
import { commandContext } from '../support/command-context.ts';
import { ndjson } from '../support/faulty-sources.ts';
import { emptyStorage, inStorage, storageFolder } from '../support/kept-storage.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { startGroup } from '../support/process-group.ts';
import { programOf } from '../support/run-tool.ts';
import { storesFrom } from '../support/stores/compiled-stores.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const STOP = pathToFileURL(resolve(import.meta.dirname, 'support/stop-at-upload.ts')).href;
const PLACE = { env: 'staging' } as const;
const STORES = storesFrom(1, 30);

const folder = storageFolder();
const environment = {
  STORE_DIRECTORY_STATE: join(folder, 'state'),
  TMPDIR: join(folder, 'tmp'),
  NO_COLOR: '1',
};
const source = join(folder, 'stores.ndjson');
let live: string;

beforeAll(async () => {
  await mkdir(environment.TMPDIR);
  await writeFile(source, ndjson(STORES));
  vi.stubEnv('STORE_DIRECTORY_STATE', environment.STORE_DIRECTORY_STATE);
  const { code, data } = await publish();
  expect(code).toBe(0);
  live = data.release;
});

/** Does something to the storage of the publications. */
const onTarget = <T>(work: (target: SnapshotTarget) => Promise<T>) => inStorage(work, 'staging');

const publish = () =>
  toolWith('snapshot', environment).json(['publish', '--source', source, '--env', 'staging']);

/** How a publication of `release` ends that is interrupted before it writes anything itself. */
async function interrupted(
  release: string | null,
  options: { afresh?: boolean; beginLog?: boolean; dryRun?: boolean; remote?: boolean } = {},
) {
  const context = commandContext({ signal: AbortSignal.abort(new InterruptedError()) });
  // Local storage may have heard the signal first.
  const error = new Error('workerd has ended');
  const outcome = await publicationError(error, release, { ...PLACE, ...options }, context);
  const { message, exitCode, details } = outcome as InterruptedError;
  return { message, exitCode, details };
}

const OTHER = '0123456789abcdef';
const UNKNOWN = 'whether release LIVE was published is not known; see snapshot list';

describe('a publication that is interrupted', () => {
  it.each([
    ['LIVE', {}, 'release LIVE is live all the same', 0, true],
    ['LIVE', { afresh: true }, UNKNOWN, 1, null],
    ['LIVE', { beginLog: true }, UNKNOWN, 1, null],
    // Without an API token no request is sent.
    ['LIVE', { remote: true }, UNKNOWN, 1, null],
    [OTHER, {}, `release ${OTHER} is not live, LIVE is`, 130, false],
    [OTHER, { dryRun: true }, 'nothing was published', 130, false],
    [null, {}, 'nothing was published', 130, false],
  ])('says of %s with %j: %s', async (release, options, words, exitCode, isLive) => {
    vi.stubEnv('CLOUDFLARE_API_TOKEN', '');
    const wanted = release === 'LIVE' ? live : release;
    expect(await interrupted(wanted, options)).toEqual({
      message: `interrupted: ${words.replace('LIVE', live)}`,
      exitCode,
      details: { live: isLive },
    });
  });

  it('is refused as any other whose pointer could not be written', async () => {
    const context = commandContext({ signal: AbortSignal.abort(new InterruptedError()) });
    const error = new CommandError('KV is away', 'pointer_behind');
    expect(await publicationError(error, live, PLACE, context)).toBe(error);
  });

  it('as it ends gives people the last line, and machines the whole result', async () => {
    const options = { ...PLACE, source, allow: new Map() };
    for (const json of [false, true]) {
      const interruption = new AbortController();
      const { signal } = interruption;
      // What would go live has been compared, and nothing is left to write.
      const end = () => interruption.abort(new InterruptedError());
      const progress = { ...SILENT_PROGRESS, end };
      const work = run(options, commandContext({ json, signal, progress }));
      if (json) expect(await work).toMatchObject({ data: { release: live } });
      else await expect(work).rejects.toMatchObject({ exitCode: 0, details: { live: true } });
    }
  });
});

it('a publication that would rely on objects which are missing is refused', async () => {
  const [key = '', bytes] = await onTarget(async ({ objects }) => {
    await objects.delete(POINTER_KEY);
    const [first = ''] = await listKeys(objects, OBJECT_PREFIX);
    const value = await objects.get(first);
    await objects.delete(first);
    return [first, value as Uint8Array] as const;
  });
  const { code, data } = await publish();
  expect(code).toBe(1);
  expect(data.error).toMatchObject({
    code: 'pointer_behind',
    message: expect.stringContaining('publish --afresh uploads everything anew'),
  });
  await onTarget(async (target) => {
    expect(await target.objects.get(POINTER_KEY)).toBeNull();
    await target.objects.put(key, bytes);
    await openLog(target);
  });
});

describe('a run that comes to its end', () => {
  it('notes the time of the storage: that of this machine may be days off', async () => {
    const target = new MemoryTarget();
    await writeRun(target, live);
    const text = new TextDecoder().decode(target.values.get(LAST_RUN_KEY));
    expect(unsealJson(text)).toEqual({ ranAt: new Date(target.time).toISOString(), release: live });
  });

  it('is no failure because that cannot be noted', async () => {
    const context = commandContext();
    await onTarget(async (target) => {
      vi.spyOn(target.objects, 'put').mockRejectedValue(new Error('KV is down'));
      await writeRun({ ...target, context }, live);
    });
    expect(context.remarks).toEqual([
      expect.stringContaining('/healthz will not show it: KV is down'),
    ]);
  });
});

/** How many objects lie in storage. */
const countObjects = () =>
  onTarget(async ({ objects }) => (await listKeys(objects, OBJECT_PREFIX)).length);

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

/** A publisher that has stopped when it had written an object, until it is interrupted. */
async function startStopped(by: keyof typeof STARTS) {
  const stopped = join(folder, 'stopped');
  await rm(stopped, { force: true });
  const [program, ...before] = STARTS[by];
  const publish = ['publish', '--source', source, '--env', 'staging'];
  const stops = { NODE_OPTIONS: `--import=${STOP}`, STOPPED_FILE: stopped };
  const publisher = startGroup(program, [...before, ...publish], {
    cwd: PROJECT,
    env: { ...environment, ...stops },
  });
  while (!existsSync(stopped)) {
    if (publisher.child.exitCode !== null) throw new Error(publisher.output.stderr);
    await sleep(20);
  }
  expect(await countObjects()).toBeGreaterThan(0);
  expect(await workFolders()).toHaveLength(1);
  return publisher;
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

describe.skipIf(process.platform === 'win32')('a publication to local storage', () => {
  beforeEach(emptyStorage);

  it.each([
    ['SIGTERM to npm', 'npm', 'SIGTERM', 'the first'],
    ['Ctrl-C, which npm passes on, too', 'npm', 'SIGINT', 'all'],
    ['a terminal that is closed, without npm', 'node', 'SIGHUP', 'all'],
  ] as const)('ends on %s, says so and leaves nothing', async (_what, by, signal, whom) => {
    const { child, output, ended, send } = await startStopped(by);
    send(signal, whom);
    // No process of the group can write any more then.
    const code = await ended;
    expect(output.stderr.trim().split('\n').at(-1)).toMatch(
      /^error: staging, on this machine: interrupted: release \S+ is not live, nothing is$/,
    );
    expect(code).toBe(130);
    if (process.platform === 'linux') await untilAllEnded(child);
    expect(await workFolders()).toEqual([]);
    await onTarget(async ({ objects, ledger }) => {
      expect(await readHead(ledger)).toBeNull();
      for (const key of [POINTER_KEY, LAST_RUN_KEY]) expect(await objects.get(key)).toBeNull();
    });
  });
});
