/** One suite that every snapshot target passes: memory, local KV, local R2. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openPlatform, type Platform } from '../../scripts/cli/platform.ts';
import { forEachInFlight } from '../../scripts/publish/in-flight.ts';
import { KvTarget } from '../../scripts/publish/kv-target.ts';
import { chooseTarget } from '../../scripts/publish/local-target.ts';
import { R2Target } from '../../scripts/publish/r2-target.ts';
import { retryBusy } from '../../scripts/publish/retry-busy.ts';
import type { SnapshotTarget } from '../../scripts/publish/snapshot-target.ts';
import { MemoryTarget } from './memory-target.ts';

let folder: string;
let platform: Platform;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snapshot-target-'));
  vi.stubEnv('STORE_DIRECTORY_STATE', folder);
  platform = await openPlatform('staging');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await platform.dispose();
  await rm(folder, { recursive: true, force: true });
});

const TARGETS: readonly (readonly [string, () => SnapshotTarget])[] = [
  ['memory', () => new MemoryTarget()],
  ['local KV', () => new KvTarget(platform.env.SNAPSHOTS)],
  ['local R2', () => new R2Target(platform.env.SNAPSHOT_BUCKET)],
];

async function keysOf(target: SnapshotTarget, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of target.list(prefix)) keys.push(key);
  return keys.sort();
}

describe.each(TARGETS)('%s', (_name, open) => {
  it('returns the bytes that were put, and the last ones', async () => {
    const target = open();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    expect(await target.get('bytes/a')).toBeNull();
    // A view into the middle of a buffer: what lies around it is not its content.
    await target.put('bytes/a', bytes.subarray(7, 60_000));
    expect(await target.get('bytes/a')).toEqual(bytes.slice(7, 60_000));
    await target.put('bytes/a', bytes);
    expect(await target.get('bytes/a')).toEqual(bytes);
    expect(await keysOf(target, 'bytes/')).toEqual(['bytes/a']);
  });

  it('lists every key below a prefix, and no other', async () => {
    const target = open();
    // More than one page of either storage.
    const keys = Array.from(
      { length: 1003 },
      (_, index) => `list/${String(index).padStart(4, '0')}`,
    );
    await forEachInFlight(['lisu/1', 'lis', ...keys], 16, (key) =>
      target.put(key, new Uint8Array([1])),
    );
    expect(await keysOf(target, 'list/')).toEqual(keys);
    expect(await keysOf(target, 'none/')).toEqual([]);
  });

  it('forgets what is deleted', async () => {
    const target = open();
    await target.put('delete/a', new Uint8Array([1]));
    await target.put('delete/b', new Uint8Array([2]));
    await target.delete('delete/a');
    await target.delete('delete/never');
    expect(await target.get('delete/a')).toBeNull();
    expect(await keysOf(target, 'delete/')).toEqual(['delete/b']);
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
