/** `--dry-run`: everything that publishing does except writing. */
import { describe, expect, it } from 'vitest';
import { publishRelease, rehearsePublication } from '../../scripts/release/publish-release.ts';
import { compileStores, publishOptions, publishStores, storesFrom } from './compiled-stores.ts';
import { MemoryTarget } from './memory-target.ts';

describe('a rehearsal', () => {
  it('says what would be uploaded and writes nothing', async () => {
    const target = new MemoryTarget();
    await publishStores(target, storesFrom(1, 3), 1);
    const before = new Map(target.values);
    const next = await compileStores(storesFrom(1, 5));
    const planned = await rehearsePublication(next, target, publishOptions(target));
    expect(target.values).toEqual(before);
    expect(planned.uploaded.objects).toBeGreaterThan(0);
    const published = await publishRelease(next, target, publishOptions(target));
    expect(published).toEqual({ ...planned, number: 2 });
  });

  it('finds that an object is damaged', async () => {
    const next = await compileStores(storesFrom(1, 5));
    for (const hash of next.objects.keys()) {
      if (hash !== next.manifest.parts.stores?.hash) next.objects.set(hash, new Uint8Array(1));
    }
    await expect(
      rehearsePublication(next, new MemoryTarget(), publishOptions(new MemoryTarget())),
    ).rejects.toMatchObject({
      code: 'snapshot_damaged',
    });
  });
});
