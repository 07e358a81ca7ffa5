/** A live release that has lost objects gets back what the next run has compiled. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readHead } from '../../scripts/release/log.ts';
import { mendLive } from '../../scripts/release/mend-live.ts';
import { ObjectList } from '../../scripts/release/objects.ts';
import { PublishedReleases } from '../../scripts/release/published-objects.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import {
  type CompiledStores,
  compileStores,
  publishStores,
  storesFrom,
} from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

let target: MemoryTarget;
let live: CompiledStores;
let next: CompiledStores;

beforeEach(async () => {
  target = new MemoryTarget();
  live = await compileStores(storesFrom(1, 12));
  next = await compileStores(storesFrom(1, 13));
  await publishStores(target, storesFrom(1, 12), 1);
  target.writes.length = 0;
});

async function mend(of = target) {
  return mendLive(next, of, {
    live: await readHead(of.ledger),
    list: await ObjectList.read(of.objects),
    published: new PublishedReleases(of),
    now: of.time,
  });
}

describe('what is live', () => {
  it('and whole is left alone', async () => {
    expect(await mend()).toMatchObject({ mended: [], lost: [] });
    expect(target.writes).toEqual([]);
  });

  it('gets back what it shares with what was compiled, and the rest is named', async () => {
    const shared = [...live.objects.keys()].find((hash) => next.objects.has(hash)) ?? '';
    const own = Object.values(live.manifest.parts)
      .map(({ hash }) => hash)
      .find((hash) => !next.objects.has(hash) && hash !== live.manifest.parts.chunks?.hash);
    for (const hash of [shared, own ?? '']) target.values.delete(objectKey(hash));
    const { mended, lost, list } = await mend();
    expect(mended.map(({ hash }) => hash)).toEqual([shared]);
    expect(lost.map(({ hash }) => hash)).toEqual([own]);
    expect(target.writes).toEqual([objectKey(shared)]);
    expect(mended.every((object) => list.has(object))).toBe(true);
  });

  it('is not looked into while lists may be late', async () => {
    target.values.delete(objectKey([...live.objects.keys()][0] ?? ''));
    Object.assign(target.objects, { lateness: 120_000 });
    target.time += 119_999;
    expect(await mend()).toMatchObject({ mended: [], lost: [] });
    target.time += 1;
    const { mended, lost } = await mend();
    expect(mended.length + lost.length).toBe(1);
  });

  it('is nothing where nothing was published', async () => {
    expect(await mend(new MemoryTarget())).toMatchObject({ mended: [], lost: [] });
  });
});
