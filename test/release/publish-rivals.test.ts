/** What becomes of a publication when another command adds an entry meanwhile. */
import { describe, expect, it } from 'vitest';
import type { CompiledRelease } from '../../scripts/build/compiled-release.ts';
import type { Seen } from '../../scripts/release/publication.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { rollBack } from '../../scripts/release/roll-back.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { seeNow } from '../support/review-stage.ts';
import {
  type CompiledStores,
  compileStores,
  publishOptions,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';

const signature = { by: 'ops', note: null };

/** Publishes what was decided by what was seen then. */
function publishAfter(compiled: CompiledRelease, target: MemoryTarget, seen: Seen) {
  return publishRelease(compiled, target, publishOptions({ seen }));
}

/** Publishes, and has a rival do all its work while the first object is read back. */
async function publishBeside(
  compiled: CompiledStores,
  target: MemoryTarget,
  rival: () => Promise<unknown>,
) {
  const { objects } = target;
  const get = objects.get.bind(objects);
  let hasUploaded = false;
  target.beforeWrite = (key) => {
    hasUploaded ||= key.startsWith(OBJECT_PREFIX);
  };
  objects.get = async (key) => {
    if (hasUploaded && key.startsWith(OBJECT_PREFIX)) {
      objects.get = get;
      await rival();
    }
    return get(key);
  };
  const publication = await publishRelease(compiled, target, publishOptions()).catch(
    (error) => error,
  );
  expect(objects.get).toBe(get);
  return publication;
}

describe('two publishers', () => {
  it('at once: one wins, the other says so, nothing is mixed', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const slow = await compileStores(storesFrom(1, 4));
    let rival = '';
    const refusal = await publishBeside(slow, target, async () => {
      rival = await publishStores(target, storesFrom(1, 5), 2);
    });
    expect(refusal).toMatchObject({
      code: 'publish_conflict',
      details: { live: { release: rival, number: 2 } },
      message: expect.stringContaining(`live is release 2-${rival}`),
    });
    expect(target.pointer?.manifest.release).toBe(rival);
    // Run again, the first one comes after the rival.
    const again = await publishRelease(slow, target, publishOptions());
    expect(again).toMatchObject({ previous: rival, number: 3 });
  });

  it('of which one decided by a log that has moved on: it does not publish', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const seen = await seeNow(target);
    const live = await publishStores(target, storesFrom(1, 4), 2);
    target.writes.length = 0;
    const publication = publishAfter(await compileStores(storesFrom(1, 5)), target, seen);
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.decisions).toEqual([]);
    expect(target.pointer?.manifest.release).toBe(live);
  });

  it('of which both find nothing: the second does not overwrite the first', async () => {
    const target = new MemoryTarget();
    const seen = await seeNow(target);
    const live = await publishStores(target, storesFrom(1, 3), 1);
    const publication = publishAfter(await compileStores(storesFrom(1, 5)), target, seen);
    await expect(publication).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(target.pointer?.manifest.release).toBe(live);
  });

  it('of the same release: the second is told that it is live already', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const stores = storesFrom(1, 4);
    const slow = await compileStores(stores);
    const refusal = await publishBeside(slow, target, () => publishStores(target, stores, 2));
    expect(refusal).toMatchObject({ code: 'publish_conflict', details: { live: { number: 2 } } });
  });
});

describe('a rollback beside a publication', () => {
  it('wins: the publication goes nowhere, and publishing is held', async () => {
    const target = new MemoryTarget();
    const first = await publishStores(target, storesFrom(1, 3), 1);
    await publishStores(target, storesFrom(1, 4), 2);
    const next = await compileStores(storesFrom(1, 5));
    const refusal = await publishBeside(next, target, () =>
      rollBack(target, { release: null, signature }),
    );
    expect(refusal).toMatchObject({ code: 'publish_conflict' });
    expect(target.pointer?.manifest.release).toBe(first);
    const again = publishRelease(next, target, publishOptions());
    await expect(again).rejects.toMatchObject({ code: 'publication_held' });
  });
});
