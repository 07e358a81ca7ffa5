/** One suite that every snapshot target passes: memory, local and remote KV and R2. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { RemoteKvTarget } from '../../scripts/storage/cloudflare-kv.ts';
import { RemoteR2Target } from '../../scripts/storage/cloudflare-r2.ts';
import { forEachInFlight } from '../../scripts/storage/in-flight.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';
import { KvTarget } from '../../scripts/storage/local-kv.ts';
import { R2Target } from '../../scripts/storage/local-r2.ts';
import { chooseTarget } from '../../scripts/storage/open-target.ts';
import { retryBusy } from '../../scripts/storage/retry-busy.ts';
import { openApi } from './cloudflare/stage.ts';
import { BUCKET, CloudflareStandIn, SNAPSHOTS_ID } from './cloudflare/stand-in.ts';
import { MemoryTarget } from './memory-target.ts';
import { describeTarget, keysOf } from './target-contract.ts';

let folder: string;
let platform: Platform;
let standIn: CloudflareStandIn;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-target-'));
  vi.stubEnv('STORE_DIRECTORY_STATE', folder);
  platform = await openPlatform('staging');
  standIn = await CloudflareStandIn.start();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.dispose();
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
});

const TARGETS: readonly (readonly [string, () => SnapshotTarget])[] = [
  ['memory', () => new MemoryTarget()],
  ['local KV', () => new KvTarget(platform.env.SNAPSHOTS)],
  ['local R2', () => new R2Target(platform.env.SNAPSHOT_BUCKET)],
  ['remote KV', () => new RemoteKvTarget(openApi(standIn), SNAPSHOTS_ID)],
  ['remote R2', () => new RemoteR2Target(openApi(standIn), BUCKET)],
];

for (const [name, open] of TARGETS) describeTarget(name, open);

describe('local R2, where the pointer turns in one step,', () => {
  const text = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);
  const replace = (target: R2Target, key: string, to: string, expected: string | null) =>
    target.replace(key, new TextEncoder().encode(to), (bytes) => text(bytes) === expected);

  it('replaces what is as expected, and nothing else', async () => {
    const target = new R2Target(platform.env.SNAPSHOT_BUCKET);
    const key = 'replace/a';
    expect(await replace(target, key, 'one', 'other')).toBe(false);
    expect(await replace(target, key, 'one', null)).toBe(true);
    expect(await replace(target, key, 'two', null)).toBe(false);
    expect(await replace(target, key, 'two', 'one')).toBe(true);
    expect(text(await target.get(key))).toBe('two');
  });

  it.each([
    ['nothing', 'replace/b', null],
    ['something', 'replace/c', 'start'],
  ])('lets one of many win who found %s', async (_what, key, start) => {
    const target = new R2Target(platform.env.SNAPSHOT_BUCKET);
    if (start !== null) await target.put(key, new TextEncoder().encode(start));
    const rivals = ['a', 'b', 'c', 'd', 'e'];
    const won = await Promise.all(rivals.map((rival) => replace(target, key, rival, start)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(text(await target.get(key))).toBe(rivals[won.indexOf(true)]);
  });
});

describe('the storage of an environment', () => {
  it('is the one that SNAPSHOT_STORE names', () => {
    const { SNAPSHOTS, SNAPSHOT_BUCKET } = platform.env;
    const choose = (SNAPSHOT_STORE: string) =>
      chooseTarget({ SNAPSHOT_STORE, SNAPSHOTS, SNAPSHOT_BUCKET });
    expect(choose('kv')).toBeInstanceOf(KvTarget);
    expect(choose('r2')).toBeInstanceOf(R2Target);
    expect(() => choose('disk')).toThrow('got "disk", expected kv or r2');
  });

  it.each(['kv', 'r2'])('is shared by writers that keep each other waiting: %s', async (store) => {
    const other = await openPlatform('staging');
    try {
      const targets = [platform, other].map(({ env }) =>
        chooseTarget({ ...env, SNAPSHOT_STORE: store }),
      );
      const keys = Array.from({ length: 200 }, (_, index) => `shared/${index}`);
      await Promise.all(
        targets.map((target) =>
          forEachInFlight(keys, 16, (key) => target.put(key, new TextEncoder().encode(key))),
        ),
      );
      for (const target of targets) expect(await keysOf(target, 'shared/')).toEqual(keys.sort());
    } finally {
      await other.dispose();
    }
  });

  it.each([
    'KV PUT failed: 500 Internal Server Error',
    'put: Unspecified error (0)',
    'internal error: SQLITE_BUSY: database is locked',
  ])('is asked again while it answers "%s"', async (message) => {
    const busy = new Error(message);
    const operation = vi.fn<() => Promise<string>>();
    operation.mockRejectedValueOnce(busy).mockRejectedValueOnce(busy).mockResolvedValue('done');
    expect(await retryBusy(operation)).toBe('done');
    expect(operation).toHaveBeenCalledTimes(3);
  });

  it('is not asked again after another error', async () => {
    const broken = vi.fn().mockRejectedValue(new Error('disk full'));
    await expect(retryBusy(broken)).rejects.toThrow('disk full');
    expect(broken).toHaveBeenCalledTimes(1);
  });
});

describe('work in flight', () => {
  it('never exceeds its limit and ends with all items done', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await forEachInFlight([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running++;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running--;
      done.push(item);
    });
    expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(3);
  });

  it('begins nothing after an error and waits for what is under way', async () => {
    const begun: number[] = [];
    let ended = 0;
    const work = forEachInFlight([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      if (item === 2) throw new Error('two failed');
      await new Promise(setImmediate);
      ended++;
    });
    await expect(work).rejects.toThrow('two failed');
    expect(begun).toEqual([1, 2]);
    expect(ended).toBe(1);
  });
});
