/** `--dry-run`: everything that publishing does except writing. */
import { describe, expect, it } from 'vitest';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import {
  compileStores,
  publishOptions,
  publishStores,
  storesFrom,
} from '../support/stores/compiled-stores.ts';

const REHEARSAL = publishOptions({ dryRun: true });

describe('a rehearsal', () => {
  it('says what would be uploaded and writes nothing', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const before = new Map(target.values);
    const next = await compileStores(storesFrom(1, 5));
    const planned = await publishRelease(next, target, REHEARSAL);
    expect(target.values).toEqual(before);
    expect(planned.uploaded.objects).toBeGreaterThan(0);
    const published = await publishRelease(next, target, publishOptions());
    expect(published).toEqual({ ...planned, number: 2 });
  });

  it('of what is live says that afresh uploads all of it, and writes nothing', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    target.writes.length = 0;
    const same = await compileStores(storesFrom(1, 3));
    const nothing = { uploaded: { objects: 0 }, alreadyLive: true };
    expect(await publishRelease(same, target, REHEARSAL)).toMatchObject(nothing);
    const afresh = await publishRelease(same, target, { ...REHEARSAL, afresh: true });
    expect(afresh).toMatchObject({ uploaded: { objects: same.objects.size } });
    expect(target.writes).toEqual([]);
  });

  it('finds that an object is damaged', async () => {
    const next = await compileStores(storesFrom(1, 5));
    for (const hash of next.objects.keys()) {
      if (hash !== next.manifest.parts.stores?.hash) next.objects.set(hash, new Uint8Array(1));
    }
    const target = new MemoryTarget();
    const rehearsal = publishRelease(next, target, REHEARSAL);
    await expect(rehearsal).rejects.toMatchObject({
      code: 'snapshot_damaged',
    });
  });
});
