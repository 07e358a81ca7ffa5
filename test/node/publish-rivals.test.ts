/** What becomes of a publication when somebody else publishes or deletes meanwhile. */
import { describe, expect, it } from 'vitest';
import { readHead } from '../../scripts/release/log.ts';
import { readPointer } from '../../scripts/release/pointer-copy.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import { compileStores, publishOptions, publishStores, storesFrom } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readHead(target.ledger);
    const slow = await compileStores(storesFrom(1, 4));
    let rival = '';
    const get = target.objects.get.bind(target.objects);
    // The rival does all its work while the first one reads back its manifest.
    target.objects.get = async (key) => {
      if (key === releaseKey(slow.manifest.release) && target.values.has(key) && rival === '') {
        rival = 'under way';
        rival = await publishStores(target, storesFrom(1, 5), 2);
      }
      return get(key);
    };
    const late = publishRelease(slow, target, publishOptions(target, { expected }));
    const refusal = await late.catch((error) => error);
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival, number: 2 } },
      message: expect.stringContaining(`live is release 2-${rival}`),
    });
    expect((await readPointer(target))?.manifest.release).toBe(rival);
    // Run again, the first one finds all its objects there and comes after the rival.
    const again = await publishRelease(slow, target, publishOptions(target));
    expect(again).toMatchObject({ previous: rival, uploaded: { objects: 0 }, number: 3 });
    expect(target.intents).toEqual([]);
  });

  it('of which one decided by a log that has moved on: it does not publish', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const expected = await readHead(target.ledger);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    const next = await compileStores(storesFrom(1, 5));
    target.writes.length = 0;
    const publication = publishRelease(next, target, publishOptions(target, { expected }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.writes).toEqual([]);
    expect((await readPointer(target))?.manifest.release).toBe(live);
  });

  it('of which both find nothing: the second does not overwrite the first', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const next = await compileStores(storesFrom(1, 5));
    const publication = publishRelease(next, target, publishOptions(target, { expected: null }));
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
  });
});

describe('an object that is reused', () => {
  it('and deleted by hand meanwhile keeps the release from going live', async () => {
    const target = new MemoryTarget();
    const live = await publishStores(target, storesFrom(1, 12), 1);
    const next = await compileStores(storesFrom(1, 13));
    const reused = [...next.objects.keys()].map(objectKey).find((key) => target.values.has(key));
    expect(reused).toBeDefined();
    target.beforeWrite = (key) => {
      if (key === releaseKey(next.manifest.release)) target.values.delete(reused ?? '');
    };
    await expect(publishRelease(next, target, publishOptions(target))).rejects.toMatchObject({
      code: 'object_deleted',
    });
    expect((await readPointer(target))?.manifest.release).toBe(live);
  });
});
