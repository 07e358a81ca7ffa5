/** Going back to a release that is kept, and forward again. */
import { describe, expect, it } from 'vitest';
import { encodeJson, readPointer } from '../../scripts/release/published-release.ts';
import { readWithdrawal, WITHDRAWN_PREFIX } from '../../scripts/release/withdrawal.ts';
import { FORMAT_VERSION, objectKey, POINTER_KEY } from '../../src/snapshot/keys.ts';
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

describe('a rollback', () => {
  it('goes to the release before, under a new time, and marks the one it leaves', async () => {
    const rollback = await five.goBack(6);
    expect(rollback).toMatchObject({ from: five.release(5), turned: true, withdrawn: true });
    expect(rollback.to.release).toBe(five.release(4));
    const publishedAt = dayOfJanuary(6).toISOString();
    const [before, after] = [
      await compileStores(storesOfDay(5)),
      await compileStores(storesOfDay(4)),
    ];
    expect(await readPointer(five.target)).toEqual({
      format: FORMAT_VERSION,
      number: 6,
      manifest: after.manifest,
      publishedAt,
      before: { manifest: before.manifest, publishedAt: dayOfJanuary(5).toISOString() },
    });
    expect(await readWithdrawal(five.target, five.release(5))).toEqual({
      at: publishedAt,
      by: 'ops',
    });
    expect(await five.servedStores()).toBe(21);
  });

  it('goes further back each time, past what was withdrawn', async () => {
    const targets = [];
    for (let day = 6; day <= 9; day++) targets.push((await five.goBack(day)).to.release);
    expect(targets).toEqual([five.release(4), five.release(3), five.release(2), five.release(1)]);
    await expect(five.goBack(10)).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(await five.liveRelease()).toBe(five.release(1));
  });

  it('after a bad release and a good one goes to the last good one', async () => {
    await five.goBack(6);
    const next = await publishStores(five.target, storesFrom(50, 60), 7);
    const { from, to } = await five.goBack(8);
    expect([from, to.release]).toEqual([next, five.release(4)]);
  });

  it('of a release that was published again goes to what was live before it', async () => {
    await publishStores(five.target, storesFrom(2, 22), 6);
    expect(await five.liveRelease()).toBe(five.release(2));
    expect((await five.goBack(7)).to.release).toBe(five.release(5));
    expect(await readWithdrawal(five.target, five.release(2))).not.toBeNull();
  });

  it('goes to a release by its id, forward too, which is withdrawn no longer', async () => {
    await five.goBack(6, five.release(2));
    expect(await five.liveRelease()).toBe(five.release(2));
    const forward = await five.goBack(7, five.release(5).slice(0, 8));
    expect(forward).toMatchObject({ from: five.release(2), turned: true, withdrawn: false });
    expect(await five.liveRelease()).toBe(five.release(5));
    expect(await readWithdrawal(five.target, five.release(5))).toBeNull();
  });

  it('to what is live writes nothing', async () => {
    const { turned, withdrawn } = await five.goBack(6, five.release(5));
    expect({ turned, withdrawn, writes: five.target.writes }).toEqual({
      turned: false,
      withdrawn: false,
      writes: [],
    });
  });

  it('looks for every object first', async () => {
    const { objects } = await compileStores(storesOfDay(4));
    for (const hash of objects.keys()) {
      const key = objectKey(hash);
      const bytes = five.target.values.get(key) as Uint8Array;
      five.target.values.delete(key);
      await expect(five.goBack(6)).rejects.toMatchObject({ exitCode: 1 });
      five.target.values.set(key, bytes);
    }
    expect(five.target.writes).toEqual([]);
    expect(await five.liveRelease()).toBe(five.release(5));
    expect((await five.goBack(6)).turned).toBe(true);
  });

  it('gives way to somebody who publishes meanwhile', async () => {
    five.target.beforeWrite = (key) => {
      if (key.startsWith(WITHDRAWN_PREFIX)) {
        five.target.beforeWrite = () => {};
        five.target.values.set(POINTER_KEY, encodeJson(pointerTo(five.release(1), 6)));
      }
    };
    await expect(five.goBack(7)).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(await five.liveRelease()).toBe(five.release(1));
    expect(await readWithdrawal(five.target, five.release(5))).toBeNull();
  });

  it('where nothing is live says so', async () => {
    five.target = new MemoryTarget();
    await expect(five.goBack(6)).rejects.toMatchObject({ code: 'nothing_live' });
  });
});
