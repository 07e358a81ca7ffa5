/** Going back to a release that is kept, and forward again; log.test.ts has the order of it. */
import { describe, expect, it } from 'vitest';
import { findReturning } from '../../scripts/diff/returning-stores.ts';
import { logKey, OBJECT_PREFIX, POINTER_KEY } from '../../src/snapshot/keys.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { liveKey } from '../support/publish-stage.ts';
import { compileStores, publishStores, storesFrom } from '../support/stores/compiled-stores.ts';
import { storeId } from '../support/stores/store-builder.ts';
import { storesOfDay, useFiveReleases } from './support/five-releases.ts';

const five = useFiveReleases();

describe('a rollback', () => {
  it('goes to a release by the first digits of its id, forward too', async () => {
    await five.goBack(6, five.release(2));
    const forward = await five.goBack(7, five.release(5).slice(0, 8));
    expect(forward.from.manifest.release).toBe(five.release(2));
    expect(await five.liveRelease()).toBe(five.release(5));
  });

  it('to what is live holds it, and writes nothing where it is held already', async () => {
    const { turned, entry } = await five.goBack(6, five.release(5));
    expect({ turned, kind: entry.kind }).toEqual({ turned: true, kind: 'hold' });
    expect(five.target.pointer?.number).toBe(6);
    five.target.writes.length = 0;
    expect((await five.goBack(7, five.release(5))).turned).toBe(false);
    expect(five.target.decisions).not.toContain(logKey(7));
  });

  it('looks for every object first', async () => {
    const { objects } = await compileStores(storesOfDay(4));
    const next = await compileStores(storesOfDay(5));
    const hash = [...objects.keys()].find((each) => !next.objects.has(each)) ?? '';
    five.target.values.delete(liveKey(five.target, hash));
    await expect(five.goBack(6)).rejects.toMatchObject({
      code: 'release_incomplete',
      details: { release: five.release(4), missing: [hash] },
    });
    expect(five.target.writes).toEqual([]);
  });

  it('to a release whose generation is gone names what is missing, and afresh it can be published', async () => {
    const stores = storesOfDay(4);
    for (const key of [...five.target.values.keys()]) {
      if (key.startsWith(OBJECT_PREFIX)) five.target.values.delete(key);
    }
    await expect(five.goBack(6)).rejects.toMatchObject({ code: 'release_incomplete' });
    expect(five.target.decisions).toEqual([]);
    expect(await publishStores(five.target, stores, 7, { afresh: true })).toBe(five.release(4));
    expect(await five.servedStores()).toBe(21);
  });

  it('that loses against another one to the same release brings the pointer up', async () => {
    const { ledger } = five.target;
    const create = ledger.create.bind(ledger);
    // The other one is killed after its entry.
    ledger.create = async (...args) => {
      ledger.create = create;
      five.target.beforeWrite = (key) => {
        if (key === POINTER_KEY) throw new Error('the power is out');
      };
      await expect(five.goBack(6)).rejects.toMatchObject({ code: 'pointer_behind' });
      five.target.beforeWrite = () => {};
      return create(...args);
    };
    const { turned } = await five.goBack(6);
    expect({ turned, live: await five.liveRelease() }).toEqual({
      turned: false,
      live: five.release(4),
    });
  });

  it('to an unknown release is refused', async () => {
    await expect(five.goBack(6, 'ffff')).rejects.toMatchObject({ code: 'release_unknown' });
  });

  it('where nothing is live says so', async () => {
    five.target = new MemoryTarget();
    await expect(five.goBack(6)).rejects.toMatchObject({ code: 'nothing_live' });
  });
});

describe('what a rollback would show again', () => {
  it('is the stores that were removed or hidden since', async () => {
    const hidden = storesFrom(2, 7).map((store, index) =>
      index === 2 ? { ...store, geo: { ...store.geo, displayAddress: false } } : store,
    );
    await publishStores(five.target, storesFrom(1, 6), 6);
    await publishStores(five.target, hidden, 7);
    const after = five.target.pointer;
    if (!after?.before) throw new Error('nothing was live before');
    const returning = findReturning(five.target, after.manifest, after.before.manifest);
    expect(await returning).toEqual({
      removed: [storeId(1)],
      hidden: [storeId(4)],
    });
  });
});
