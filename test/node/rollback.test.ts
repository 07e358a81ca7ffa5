/** Going back to a release that is kept, and forward again; log.test.ts has the order of it. */
import { describe, expect, it } from 'vitest';
import { findReturning } from '../../scripts/release/returning-stores.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { storeId } from '../shared/store-builder.ts';
import { compileStores, publishStores, storesFrom } from './compiled-stores.ts';
import { storesOfDay, useFiveReleases } from './five-releases.ts';
import { MemoryTarget } from './memory-target.ts';

const five = useFiveReleases();

describe('a rollback', () => {
  it('is served', async () => {
    const { from, to, turned } = await five.goBack(6);
    expect([from.manifest.release, to.manifest.release]).toEqual([5, 4].map(five.release));
    expect({ turned, stores: await five.servedStores() }).toEqual({ turned: true, stores: 21 });
  });

  it('goes further back each time, to the first', async () => {
    const went = [];
    for (let day = 6; day <= 9; day++) went.push((await five.goBack(day)).to.manifest.release);
    expect(went).toEqual([4, 3, 2, 1].map(five.release));
    await expect(five.goBack(10)).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(await five.liveRelease()).toBe(five.release(1));
  });

  it('goes to a release by the first digits of its id, forward too', async () => {
    await five.goBack(6, five.release(2));
    const forward = await five.goBack(7, five.release(5).slice(0, 8));
    expect(forward.from.manifest.release).toBe(five.release(2));
    expect(await five.liveRelease()).toBe(five.release(5));
  });

  it('to what is live writes nothing unless it is to be held', async () => {
    const { turned } = await five.goBack(6, five.release(5), false);
    expect({ turned, writes: five.target.writes }).toEqual({ turned: false, writes: [] });
  });

  it('looks for every object first', async () => {
    const { objects } = await compileStores(storesOfDay(4));
    const next = await compileStores(storesOfDay(5));
    const hash = [...objects.keys()].find((each) => !next.objects.has(each)) ?? '';
    five.target.values.delete(objectKey(hash));
    await expect(five.goBack(6)).rejects.toMatchObject({
      code: 'release_incomplete',
      details: { release: five.release(4), missing: [hash] },
    });
    expect(five.target.writes).toEqual([]);
  });

  it('to a release that nobody knows is refused', async () => {
    await expect(five.goBack(6, 'ffff')).rejects.toMatchObject({ code: 'release_unknown' });
  });

  it('where nothing is live says so', async () => {
    five.target = new MemoryTarget();
    await expect(five.goBack(6)).rejects.toMatchObject({ code: 'nothing_live' });
  });
});

describe('what a rollback would show again', () => {
  it('is the stores that were removed or hidden since', async () => {
    const before = await compileStores(storesFrom(1, 6));
    const hidden = storesFrom(2, 7).map((store, index) =>
      index === 2 ? { ...store, geo: { ...store.geo, displayAddress: false } } : store,
    );
    await publishStores(five.target, storesFrom(1, 6), 6);
    const after = await compileStores(hidden);
    await publishStores(five.target, hidden, 7);
    expect(await findReturning(five.target, after.manifest, before.manifest)).toEqual({
      removed: [storeId(1)],
      hidden: [storeId(4)],
    });
  });
});
