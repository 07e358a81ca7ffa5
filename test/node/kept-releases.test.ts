/** The releases that a target keeps: listed, found by their ids, measured. */
import { describe, expect, it } from 'vitest';
import {
  findRelease,
  parseReleaseId,
  readKeptReleases,
} from '../../scripts/release/kept-releases.ts';
import { measureRelease, totalBytes } from '../../scripts/release/measure-release.ts';
import { ReleaseReader } from '../../scripts/release/release-reader.ts';
import { releaseKey } from '../../src/snapshot/keys.ts';
import { compileStores, dayOfJanuary, storesFrom } from './compiled-stores.ts';
import { useFiveReleases } from './five-releases.ts';

const five = useFiveReleases();

describe('the list', () => {
  it('has the latest release first', async () => {
    const kept = await readKeptReleases(five.target);
    expect(kept.releases.map((each) => each.release)).toEqual([5, 4, 3, 2, 1].map(five.release));
    expect(kept.releases.map((each) => each.author)[0]).toBe('author 5');
    expect(kept.pointer?.manifest.release).toBe(five.release(5));
    expect({ ...kept, releases: [] }).toMatchObject({ unreadable: [], withdrawn: new Set() });
  });

  it('names releases whose manifest is damaged', async () => {
    five.target.values.set(releaseKey(five.release(2)), new Uint8Array([0x7b]));
    const kept = await readKeptReleases(five.target);
    expect(kept.unreadable).toEqual([five.release(2)]);
    expect(kept.releases).toHaveLength(4);
  });

  it('finds a release by its first digits, if they tell it apart', async () => {
    const kept = await readKeptReleases(five.target);
    expect(findRelease(kept, five.release(3).slice(0, 6)).publishedAt).toBe(
      dayOfJanuary(3).toISOString(),
    );
    const manifest = findRelease(kept, five.release(1));
    const twins = ['abcd000000000001', 'abcd000000000002'].map((id) => ({
      ...manifest,
      release: id,
    }));
    expect(() => findRelease({ ...kept, releases: twins }, 'abcd')).toThrow(
      'the id abcd is ambiguous: abcd000000000001, abcd000000000002',
    );
    expect(() => findRelease(kept, 'ffffffffffffffff')).toThrow('no release ffffffffffffffff');
  });

  it('takes its id in any case, and nothing that is no id', () => {
    expect(parseReleaseId('00FFaa')).toBe('00ffaa');
    for (const text of ['abc', 'xyzw', '0'.repeat(17), '']) {
      expect(() => parseReleaseId(text)).toThrow('expected the id of a release');
    }
  });
});

describe('the sizes of a release', () => {
  it('are those of its objects', async () => {
    const compiled = await compileStores(storesFrom(1, 40));
    const sizes = measureRelease(compiled.manifest, await new ReleaseReader(compiled).chunkTable());
    const bytes = [...compiled.objects.values()].reduce((sum, { length }) => sum + length, 0);
    expect(sizes.totalBytes).toBe(bytes);
    expect(totalBytes(compiled.manifest)).toBe(bytes);
    const parts = Object.values(sizes.parts);
    expect(parts).toEqual(parts.toSorted((a, b) => b - a));
    const { chunks, chunksByStores, storeBytes } = sizes;
    expect(chunks.count).toBe(compiled.manifest.chunkCount);
    const { least, median, ninthDecile, most } = chunks;
    expect([least, median, ninthDecile, most]).toEqual(
      [least, median, ninthDecile, most].toSorted((a, b) => a - b),
    );
    expect(storeBytes).toBe(Math.round(compiled.manifest.chunkBytes / 40));
    const stores = Object.entries(chunksByStores).reduce((sum, [n, c]) => sum + Number(n) * c, 0);
    expect(stores).toBe(40);
  });
});
