/** What happens to the pointer when somebody else publishes, prunes or deletes meanwhile. */
import { describe, expect, it } from 'vitest';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { encodeJson, readPointer } from '../../scripts/release/published-release.ts';
import { turnPointer } from '../../scripts/release/turn-pointer.ts';
import { objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import {
  compileStores,
  emptyRelease,
  pointerTo,
  publishOptions,
  publishStores,
  storesFrom,
} from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readPointer(target);
    const slow = await compileStores(storesFrom(1, 4));
    let rival = '';
    const get = target.get.bind(target);
    // The rival does all its work while the first one reads back its manifest.
    target.get = async (key) => {
      if (key === releaseKey(slow.manifest.release) && target.values.has(key) && rival === '') {
        rival = 'under way';
        rival = await publishStores(target, storesFrom(1, 5), 2);
      }
      return get(key);
    };
    const refusal = await publishRelease(slow, target, publishOptions(3, { expected })).catch(
      (error) => error,
    );
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival } },
      message: expect.stringContaining(`live is release ${rival}`),
    });
    expect((await readPointer(target))?.manifest.release).toBe(rival);
    // Run again, the first one finds all its objects there and comes after the rival.
    const again = await publishRelease(slow, target, publishOptions(4));
    expect(again).toMatchObject({ previous: rival, uploaded: { objects: 0 } });
  });

  it('of which one decided by a pointer that has turned: it does not publish', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readPointer(target);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    const next = await compileStores(storesFrom(1, 5));
    target.writes.length = 0;
    const publication = publishRelease(next, target, publishOptions(3, { expected }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.writes).toEqual([]);
    expect((await readPointer(target))?.manifest.release).toBe(live);
  });

  it('of which both find nothing: the second does not overwrite the first', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const next = await compileStores(storesFrom(1, 5));
    const publication = publishRelease(next, target, publishOptions(2, { expected: null }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
  });

  it('that write the pointer at the same instant: the one whose write is gone says so', async () => {
    const target = new MemoryTarget();
    const rivals = pointerTo('b'.repeat(16), 1);
    target.storing = () => encodeJson(rivals);
    await expect(turnPointer(target, null, emptyRelease('a'.repeat(16), 1))).rejects.toMatchObject({
      code: 'publish_conflict',
    });
  });

  it('is not what a late answer of the storage means', async () => {
    const target = new MemoryTarget();
    const before = pointerTo('a'.repeat(16), 1);
    target.values.set(POINTER_KEY, encodeJson(before));
    target.get = async () => encodeJson(before);
    await turnPointer(target, before, emptyRelease('b'.repeat(16), 2));
    expect(target.writes).toEqual([POINTER_KEY]);
  });
});

describe('a lease', () => {
  it('that was lost meanwhile keeps the pointer from turning', async () => {
    const target = new MemoryTarget();
    const live = await publishStores(target, storesFrom(1, 3), 1);
    const lease = {
      assertHeld: () => {
        throw new Error('lost');
      },
    };
    const next = await compileStores(storesFrom(1, 5));
    await expect(publishRelease(next, target, publishOptions(2, { lease }))).rejects.toThrow(
      'lost',
    );
    expect((await readPointer(target))?.manifest.release).toBe(live);
  });
});

describe('an object that is reused', () => {
  it('and deleted meanwhile keeps the pointer from turning', async () => {
    const target = new MemoryTarget();
    const live = await publishStores(target, storesFrom(1, 12), 1);
    const next = await compileStores(storesFrom(1, 13));
    const reused = [...next.objects.keys()].map(objectKey).find((key) => target.values.has(key));
    expect(reused).toBeDefined();
    target.beforeWrite = (key) => {
      if (key === releaseKey(next.manifest.release)) target.values.delete(reused ?? '');
    };
    await expect(publishRelease(next, target, publishOptions(2))).rejects.toMatchObject({
      code: 'object_deleted',
    });
    expect((await readPointer(target))?.manifest.release).toBe(live);
  });
});
