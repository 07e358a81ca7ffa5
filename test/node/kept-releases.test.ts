/** The releases that a target keeps: listed, found by their ids, measured. */
import { describe, expect, it } from 'vitest';
import {
  findRelease,
  parseReleaseId,
  readKeptReleases,
} from '../../scripts/release/kept-releases.ts';
import { readHead } from '../../scripts/release/log.ts';
import { measureRelease, totalBytes } from '../../scripts/release/measure-release.ts';
import { ReleaseReader } from '../../scripts/release/release-reader.ts';
import { compileStores, dayOfJanuary, publishStores, storesFrom } from './compiled-stores.ts';
import { useFiveReleases } from './five-releases.ts';

const five = useFiveReleases();

describe('the list', () => {
  const kept = async (more = {}) =>
    readKeptReleases(five.target, await readHead(five.target.ledger), more);

  it('has the latest release first', async () => {
    const { releases, head } = await kept();
    expect(releases.map(({ manifest }) => manifest.release)).toEqual(
      [5, 4, 3, 2, 1].map(five.release),
    );
    expect(releases[0]?.stay).toMatchObject({ by: 'tester', number: 5, until: null });
    expect(head?.manifest.release).toBe(five.release(5));
  });

  it('has ten releases, and those that were live within eight days', async () => {
    for (let day = 6; day <= 25; day++) await publishStores(five.target, storesFrom(day, 60), day);
    const numbers = async (more = {}) => (await kept(more)).releases.map(({ stay }) => stay.number);
    expect(await numbers()).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16]);
    expect(await numbers({ keep: 3 })).toHaveLength(10);
    expect(await numbers({ keep: 12 })).toHaveLength(12);
    // Each was live for a day; 25 has been for eight by then.
    five.target.time = dayOfJanuary(27).getTime();
    expect(await numbers()).toHaveLength(10);
    for (let run = 1; run <= 12; run++) await publishStores(five.target, storesFrom(run, 70), 28);
    // Those twelve, and what was live on day 20 or later: the releases of days 19 to 25.
    expect(await numbers()).toHaveLength(12 + 7);
  });

  it('finds a release by its first digits or its name, if they tell it apart', async () => {
    const all = await kept();
    const { stay } = findRelease(all, five.release(3).slice(0, 6));
    expect(stay.publishedAt).toBe(dayOfJanuary(3).toISOString());
    const { manifest } = findRelease(all, five.release(1));
    const twins = ['abcd000000000001', 'abcd000000000002'].map((release) => ({
      stay,
      manifest: { ...manifest, release },
    }));
    expect(() => findRelease({ ...all, releases: twins }, 'abcd')).toThrow(
      'the id abcd is ambiguous: abcd000000000001, abcd000000000002',
    );
    expect(() => findRelease(all, 'ffffffffffffffff')).toThrow('no release ffffffffffffffff');
    const number = stay.number;
    expect(findRelease(all, `${number}-${five.release(3)}`).stay).toBe(stay);
    expect(findRelease(all, `${number}-${five.release(3).slice(0, 6)}`).stay).toBe(stay);
    for (const other of [number + 1, 999]) {
      const name = `${other}-${five.release(3)}`;
      expect(() => findRelease(all, name)).toThrow(`no release ${name} is kept here`);
    }
  });

  it('takes its id in any case, and nothing that is no id', () => {
    expect(parseReleaseId('00FFaa')).toBe('00ffaa');
    expect(parseReleaseId('12-00FFaa')).toBe('12-00ffaa');
    for (const text of ['abc', 'xyzw', '0'.repeat(17), '', '0-00ffaa', '1-2-00ffaa']) {
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
