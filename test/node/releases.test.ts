/** The releases that a target keeps: listed, inspected, gone back to, pruned. */
import { beforeEach, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { withLease } from '../../scripts/publish/lease.ts';
import { readPointer } from '../../scripts/publish/published-release.ts';
import { readWithdrawal } from '../../scripts/publish/withdrawal.ts';
import {
  findRelease,
  parseReleaseId,
  readKeptReleases,
} from '../../scripts/releases/kept-releases.ts';
import { loadRelease } from '../../scripts/releases/load-release.ts';
import { measureRelease, totalBytes } from '../../scripts/releases/measure-release.ts';
import { carryOutPrune, planPrune } from '../../scripts/releases/prune.ts';
import { type RollbackOptions, rollBack } from '../../scripts/releases/roll-back.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { OBJECT_PREFIX, objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import { storeId } from '../shared/store-builder.ts';
import { compileStores, dayOfJanuary, publishStores, storesFrom } from './compiled-stores.ts';
import { ndjson } from './faulty-sources.ts';
import { MemoryTarget, sourceOf } from './memory-target.ts';
import { useSnapshotTool } from './snapshot-tool.ts';

let target: MemoryTarget;
/** Ids of the releases of days 1 to 5; that of day 5 is live. */
let releases: string[];

beforeEach(async () => {
  target = new MemoryTarget();
  releases = [];
  for (let day = 1; day <= 5; day++) {
    releases.push(await publishStores(target, storesFrom(day, day + 20), day));
  }
  target.writes.length = 0;
});

const release = (day: number): string => releases[day - 1] ?? '';

function goBack(day: number, to: string | null = null) {
  const options: RollbackOptions = { release: to, author: 'ops', now: dayOfJanuary(day) };
  return rollBack(target, options);
}

async function liveRelease(): Promise<string | undefined> {
  return (await readPointer(target))?.release;
}

/** Stores that a Worker answers, after reading every part and chunk of the release that is live. */
async function servedStores(): Promise<number> {
  const held = await new ReleaseHolder(sourceOf(target), { refreshInterval: 0 }).current(() => {});
  await held.places();
  const all = Array.from({ length: held.storeCount }, (_, store) => store);
  return (await held.chunksOf(all)).length;
}

describe('the list', () => {
  it('has the latest release first', async () => {
    const kept = await readKeptReleases(target);
    expect(kept.releases.map((each) => each.release)).toEqual(releases.toReversed());
    expect(kept.releases.map((each) => each.author)[0]).toBe('author 5');
    expect(kept.pointer?.release).toBe(release(5));
    expect({ ...kept, releases: [] }).toMatchObject({ unreadable: [], withdrawn: new Set() });
  });

  it('names releases whose manifest is damaged', async () => {
    target.values.set(releaseKey(release(2)), new Uint8Array([0x7b]));
    const kept = await readKeptReleases(target);
    expect(kept.unreadable).toEqual([release(2)]);
    expect(kept.releases).toHaveLength(4);
  });

  it('finds a release by its first digits, if they tell it apart', async () => {
    const kept = await readKeptReleases(target);
    expect(findRelease(kept, release(3).slice(0, 6)).publishedAt).toBe(
      dayOfJanuary(3).toISOString(),
    );
    const manifest = findRelease(kept, release(1));
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

describe('a rollback', () => {
  it('goes to the release before, under a new time, and marks the one it leaves', async () => {
    const rollback = await goBack(6);
    expect(rollback).toMatchObject({ from: release(5), turned: true, withdrawn: true });
    expect(rollback.to.release).toBe(release(4));
    const publishedAt = dayOfJanuary(6).toISOString();
    expect(await readPointer(target)).toEqual({ format: 1, release: release(4), publishedAt });
    expect(await readWithdrawal(target, release(5))).toEqual({ at: publishedAt, by: 'ops' });
    expect(await servedStores()).toBe(21);
  });

  it('goes further back each time, past what was withdrawn', async () => {
    const targets = [];
    for (let day = 6; day <= 9; day++) targets.push((await goBack(day)).to.release);
    expect(targets).toEqual([release(4), release(3), release(2), release(1)]);
    await expect(goBack(10)).rejects.toMatchObject({ code: 'no_earlier_release' });
    expect(await liveRelease()).toBe(release(1));
  });

  it('after a bad release and a good one goes to the last good one', async () => {
    await goBack(6);
    const next = await publishStores(target, storesFrom(50, 60), 7);
    const { from, to } = await goBack(8);
    expect([from, to.release]).toEqual([next, release(4)]);
  });

  it('of a release that was published again goes to what was live before it', async () => {
    await publishStores(target, storesFrom(2, 22), 6);
    expect(await liveRelease()).toBe(release(2));
    expect((await goBack(7)).to.release).toBe(release(5));
    expect(await readWithdrawal(target, release(2))).not.toBeNull();
  });

  it('goes to a release by its id, forward too, which is withdrawn no longer', async () => {
    await goBack(6, release(2));
    expect(await liveRelease()).toBe(release(2));
    const forward = await goBack(7, release(5).slice(0, 8));
    expect(forward).toMatchObject({ from: release(2), turned: true, withdrawn: false });
    expect(await liveRelease()).toBe(release(5));
    expect(await readWithdrawal(target, release(5))).toBeNull();
  });

  it('to what is live writes nothing', async () => {
    const { turned, withdrawn } = await goBack(6, release(5));
    expect({ turned, withdrawn, writes: target.writes }).toEqual({
      turned: false,
      withdrawn: false,
      writes: [],
    });
  });

  it('looks for every object first', async () => {
    const { objects } = await compileStores(storesFrom(4, 24));
    for (const hash of objects.keys()) {
      const key = objectKey(hash);
      const bytes = target.values.get(key) as Uint8Array;
      target.values.delete(key);
      await expect(goBack(6)).rejects.toMatchObject({ exitCode: 1 });
      target.values.set(key, bytes);
    }
    expect(target.writes).toEqual([]);
    expect(await liveRelease()).toBe(release(5));
    expect((await goBack(6)).turned).toBe(true);
  });

  it('gives way to somebody who publishes meanwhile', async () => {
    target.beforeWrite = (key) => {
      if (key.startsWith('snapshot/withdrawn/')) {
        target.beforeWrite = () => {};
        const pointer = { format: 1, release: release(1), publishedAt: '2026-01-06T00:00:00.000Z' };
        target.values.set('snapshot/current', new TextEncoder().encode(JSON.stringify(pointer)));
      }
    };
    await expect(goBack(7)).rejects.toMatchObject({ code: 'publish_conflict' });
    expect(await liveRelease()).toBe(release(1));
  });

  it('where nothing is live says so', async () => {
    target = new MemoryTarget();
    await expect(goBack(6)).rejects.toMatchObject({ code: 'nothing_live' });
  });
});

describe('a prune', () => {
  const { signal } = new AbortController();

  function prune(keep: number) {
    return withLease(target, 'prune', 'ops', async (lease) => {
      const plan = await planPrune(target, keep, SILENT_PROGRESS);
      await carryOutPrune(target, plan, { progress: SILENT_PROGRESS, signal, lease });
      return plan;
    });
  }

  function objectKeys(): string[] {
    return [...target.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX)).sort();
  }

  async function keysOf(...days: number[]): Promise<string[]> {
    const keys = new Set<string>();
    for (const day of days) {
      const { objects } = await compileStores(storesFrom(day, day + 20));
      for (const hash of objects.keys()) keys.add(objectKey(hash));
    }
    return [...keys].sort();
  }

  it('keeps the last releases and all that they share', async () => {
    const plan = await prune(3);
    expect(plan.kept).toEqual([release(5), release(4), release(3)]);
    expect(plan.dropped).toEqual([release(2), release(1)]);
    expect(objectKeys()).toEqual(await keysOf(3, 4, 5));
    expect(plan.keptObjects).toBe(objectKeys().length);
    expect((await readKeptReleases(target)).releases).toHaveLength(3);
    expect(await servedStores()).toBe(21);
    for (const day of [6, 7]) expect((await goBack(day)).turned).toBe(true);
  });

  it('keeps the live release and the one before it, however old', async () => {
    await goBack(6, release(2));
    const { kept } = await prune(1);
    expect(kept).toEqual([release(5), release(4), release(2)]);
    expect((await goBack(7)).to.release).toBe(release(4));
  });

  it('deletes what a publication left behind that was cut short', async () => {
    target.values.set(objectKey('0'.repeat(64)), new Uint8Array([1]));
    expect((await prune(10)).objects).toEqual([objectKey('0'.repeat(64))]);
    expect(objectKeys()).toEqual(await keysOf(1, 2, 3, 4, 5));
    expect((await prune(10)).objects).toEqual([]);
  });

  it('that is cut short at any point leaves releases whole; the next one finishes', async () => {
    const complete = new Map(target.values);
    await prune(2);
    const writes = target.writes.length;
    const expected = new Map(target.values);
    for (let stop = 1; stop < writes - 1; stop++) {
      target = new MemoryTarget();
      for (const [key, bytes] of complete) target.values.set(key, bytes);
      target.beforeWrite = () => {
        if (target.writes.length >= stop) throw new Error('the power is out');
      };
      await expect(prune(2)).rejects.toThrow('the power is out');
      target.beforeWrite = () => {};
      // What a power cut leaves of the lease ends by itself.
      for (const key of target.values.keys()) {
        if (key.startsWith('snapshot/lease/')) target.values.delete(key);
      }
      expect(await servedStores()).toBe(21);
      await prune(2);
      expect(new Set(target.values.keys())).toEqual(new Set(expected.keys()));
    }
  });

  it('deletes nothing when it cannot tell what a release consists of', async () => {
    const before = new Map(target.values);
    before.set(releaseKey(release(3)), new Uint8Array([0x7b]));
    target.values.set(releaseKey(release(3)), new Uint8Array([0x7b]));
    await expect(prune(2)).rejects.toMatchObject({ code: 'release_unreadable' });
    expect(target.values).toEqual(before);
  });

  it('deletes nothing when a store table is missing', async () => {
    const { manifest } = await compileStores(storesFrom(4, 24));
    target.values.delete(objectKey(manifest.parts.stores?.hash ?? ''));
    const before = new Map(target.values);
    await expect(prune(2)).rejects.toMatchObject({ code: 'release_damaged' });
    expect(target.values).toEqual(before);
  });
});

describe('the sizes of a release', () => {
  it('are those of its objects', async () => {
    const compiled = await compileStores(storesFrom(1, 40));
    const sizes = measureRelease(await loadRelease(compiled));
    const bytes = [...compiled.objects.values()].reduce((sum, { length }) => sum + length, 0);
    expect(sizes.totalBytes).toBe(bytes);
    expect(totalBytes(compiled.manifest)).toBe(bytes);
    expect(Object.keys(sizes.parts)[0]).toBe('stores');
    const { chunks, records, chunksByStores } = sizes;
    expect(chunks.count).toBe(compiled.manifest.chunkCount);
    expect(records.count).toBe(40);
    for (const { least, median, ninthDecile, most } of [chunks, records]) {
      expect([least, median, ninthDecile, most]).toEqual(
        [least, median, ninthDecile, most].toSorted((a, b) => a - b),
      );
    }
    const stores = Object.entries(chunksByStores).reduce((sum, [n, c]) => sum + Number(n) * c, 0);
    expect(stores).toBe(40);
  });
});

describe('the commands', () => {
  const tool = useSnapshotTool();

  async function run(...args: string[]) {
    const { code, stdout, stderr } = await tool.snapshot([...args, '--json']);
    return { code, stderr, data: JSON.parse(stdout) };
  }

  /** Publishes stores 1 to 3, then 1 to 4; returns the ids of both releases. */
  async function publishTwice(): Promise<[string, string]> {
    const four = ndjson(storesFrom(1, 4));
    const first = await tool.snapshot(['publish', '--source', tool.goodFile, '--json']);
    const second = await tool.snapshot(['publish', '--source', '-', '--json'], four);
    return [JSON.parse(first.stdout).release, JSON.parse(second.stdout).release];
  }

  it('list and inspect what is in local storage', async () => {
    expect((await tool.snapshot(['list'])).stdout).toBe('No releases.\n');
    const [first, second] = await publishTwice();
    const listed = (await run('list')).data;
    expect(listed.live.release).toBe(second);
    expect(listed.releases).toMatchObject([
      { release: second, state: 'live', storeCount: 4, locationCount: 4 },
      { release: first, state: 'kept', storeCount: 3 },
    ]);
    const inspected = (await run('inspect', first.slice(0, 5))).data;
    const { bytes } = listed.releases[1];
    expect(inspected).toMatchObject({ release: first, storeCount: 3, totalBytes: bytes });
    const store = await tool.snapshot(['inspect', '--store', 'store-4']);
    expect(JSON.parse(store.stdout)).toMatchObject({
      id: storeId(4),
      localization: { current: 'fr' },
    });
    const unknown = await run('inspect', first, '--store', 'store-4');
    expect(unknown).toMatchObject({ code: 1, data: { error: { code: 'store_unknown' } } });
  });

  it('go back, prune, and refuse what was withdrawn', async () => {
    const [first, second] = await publishTwice();
    expect((await run('rollback')).data).toMatchObject({ from: second, to: first, turned: true });
    const table = (await tool.snapshot(['list'])).stdout;
    expect(table).toMatch(new RegExp(`^${second}  withdrawn  .*\\n${first}  live `, 'm'));
    const planned = (await run('prune', '--keep', '1', '--dry-run')).data;
    expect(planned).toMatchObject({ dryRun: true, kept: [second, first], dropped: [] });
    const four = ndjson(storesFrom(1, 4));
    const again = await tool.snapshot(['publish', '--source', '-'], four);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('was withdrawn by');
    const forced = await tool.snapshot(['publish', '--source', '-', '--force'], four);
    expect(forced.code).toBe(0);
    expect((await run('list')).data.releases[0]).toMatchObject({ release: second, state: 'live' });
  });

  it.each([
    [['rollback', 'x'], 2],
    [['inspect'], 1],
    [['rollback'], 1],
    [['prune', '--keep', '0'], 2],
    [['list', 'x'], 2],
    [['list', '--remote'], 2],
  ])('refuse %j with exit code %i', async (args, exitCode) => {
    const { code, stdout } = await tool.snapshot(args);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
  });
});
