/** Pruning: what goes, what stays, and that nothing goes which somebody needs. */
import { describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { LEASE_PREFIX } from '../../scripts/release/lease.ts';
import { pruneReleases } from '../../scripts/release/prune.ts';
import { encodeJson, writeRelease } from '../../scripts/release/published-release.ts';
import { OBJECT_PREFIX, objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import {
  compileStores,
  dayOfJanuary,
  pointerTo,
  publishStores,
  storesFrom,
} from './compiled-stores.ts';
import { storesOfDay, useFiveReleases } from './five-releases.ts';
import { MemoryTarget } from './memory-target.ts';

const five = useFiveReleases();

describe('a prune', () => {
  const { signal } = new AbortController();

  function prune(keep: number) {
    return pruneReleases(five.target, { keep, author: 'ops', progress: SILENT_PROGRESS, signal });
  }

  function objectKeys(): string[] {
    return [...five.target.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX)).sort();
  }

  async function keysOf(...days: number[]): Promise<string[]> {
    const keys = new Set<string>();
    for (const day of days) {
      const { objects } = await compileStores(storesOfDay(day));
      for (const hash of objects.keys()) keys.add(objectKey(hash));
    }
    return [...keys].sort();
  }

  it('keeps the last releases and all that they share', async () => {
    const plan = await prune(3);
    expect(plan.kept).toEqual([five.release(5), five.release(4), five.release(3)]);
    expect(plan.dropped).toEqual([five.release(2), five.release(1)]);
    expect(objectKeys()).toEqual(await keysOf(3, 4, 5));
    expect(plan.keptObjects).toBe(objectKeys().length);
    expect((await readKeptReleases(five.target)).releases).toHaveLength(3);
    expect(await five.servedStores()).toBe(21);
    for (const day of [6, 7]) expect((await five.goBack(day)).turned).toBe(true);
  });

  it('keeps the live release, what the pointer names beside it, and the way back', async () => {
    await five.goBack(6, five.release(2));
    const { kept } = await prune(1);
    // Readers fall back on release 5, which was live before the rollback; another leads to 1.
    expect(kept).toEqual([five.release(2), five.release(5), five.release(1)]);
    expect((await five.goBack(7)).to.release).toBe(five.release(1));
  });

  it('keeps what was live before, though others were published first since', async () => {
    await publishStores(five.target, storesOfDay(1), 6);
    const latest = await publishStores(five.target, storesFrom(50, 60), 7);
    expect((await prune(1)).kept).toEqual([latest, five.release(1)]);
    expect((await five.goBack(8)).to.release).toBe(five.release(1));
  });

  it('drops first what never went live', async () => {
    const lost = (await compileStores(storesFrom(50, 60))).manifest;
    await writeRelease(five.target, {
      ...lost,
      author: 'x',
      publishedAt: dayOfJanuary(9).toISOString(),
    });
    const { kept, dropped } = await prune(5);
    expect(kept).toEqual([5, 4, 3, 2, 1].map(five.release));
    expect(dropped).toEqual([lost.release]);
  });

  it('deletes what a publication left behind that was cut short', async () => {
    five.target.values.set(objectKey('0'.repeat(32)), new Uint8Array([1]));
    expect((await prune(10)).objects).toEqual([objectKey('0'.repeat(32))]);
    expect(objectKeys()).toEqual(await keysOf(1, 2, 3, 4, 5));
    expect((await prune(10)).objects).toEqual([]);
  });

  it('that is cut short at any point leaves releases whole; the next one finishes', async () => {
    const complete = new Map(five.target.values);
    await prune(2);
    const writes = five.target.writes.length;
    const expected = new Map(five.target.values);
    for (let stop = 1; stop < writes - 1; stop++) {
      five.target = new MemoryTarget();
      for (const [key, bytes] of complete) five.target.values.set(key, bytes);
      five.target.beforeWrite = () => {
        if (five.target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(prune(2)).rejects.toThrow('the power is out');
      five.target.beforeWrite = () => {};
      // What a power cut leaves of the lease ends by itself.
      for (const key of five.target.values.keys()) {
        if (key.startsWith(LEASE_PREFIX)) five.target.values.delete(key);
      }
      expect(await five.servedStores()).toBe(21);
      await prune(2);
      expect(new Set(five.target.values.keys())).toEqual(new Set(expected.keys()));
    }
  });

  it('lets late lists settle, before it looks and after it deleted', async () => {
    const { target } = five;
    const late = new Set([releaseKey(five.release(5)), releaseKey(five.release(4))]);
    const list = target.list.bind(target);
    target.list = async function* (prefix) {
      for await (const key of list(prefix)) if (!late.has(key)) yield key;
    };
    const deletedBefore: boolean[] = [];
    Object.assign(target, {
      settle: async () => {
        deletedBefore.push(!target.values.has(releaseKey(five.release(1))));
        late.clear();
      },
    });
    expect((await prune(2)).kept).toEqual([five.release(5), five.release(4)]);
    expect(deletedBefore).toEqual([false, true]);
    expect(await five.servedStores()).toBe(21);
  });

  it('deletes nothing when it cannot tell what a release consists of', async () => {
    const before = new Map(five.target.values);
    before.set(releaseKey(five.release(3)), new Uint8Array([0x7b]));
    five.target.values.set(releaseKey(five.release(3)), new Uint8Array([0x7b]));
    await expect(prune(2)).rejects.toMatchObject({ code: 'release_unreadable' });
    expect(five.target.values).toEqual(before);
  });

  it('deletes nothing when a list of chunks is missing', async () => {
    const { manifest } = await compileStores(storesOfDay(4));
    five.target.values.delete(objectKey(manifest.parts.chunks?.hash ?? ''));
    const before = new Map(five.target.values);
    await expect(prune(2)).rejects.toMatchObject({ code: 'release_damaged' });
    expect(five.target.values).toEqual(before);
  });

  it.each([
    ['whose manifest is not listed', () => encodeJson(pointerTo('0'.repeat(16), 6))],
    ['that nobody can tell', () => new Uint8Array([0x7b])],
  ])('deletes nothing when a release is live %s', async (_what, pointer) => {
    five.target.values.set(POINTER_KEY, pointer());
    const before = new Map(five.target.values);
    await expect(prune(1)).rejects.toMatchObject({ code: 'live_unreadable' });
    expect(five.target.values).toEqual(before);
  });
});
