/** What an isolate holds, and what it does when storage or a new release fails it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { generateStores } from '../../scripts/fixtures/store.ts';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { ReleaseHolder } from '../../src/load/release-holder.ts';
import { OBJECT_PREFIX, objectKey, POINTER_KEY, releaseKey } from '../../src/snapshot/keys.ts';
import { listObjects } from '../../src/snapshot/object-list.ts';
import { MemorySource } from '../shared/memory-snapshot.ts';

const FIRST = [...generateStores(6, { seed: 1, languages: 2 })];
const SECOND = [...generateStores(9, { seed: 2, languages: 2 })];

let source: MemorySource;
let clock: number;
let reports: string[];
let deferred: Promise<unknown>[];
let holder: ReleaseHolder;

beforeEach(() => {
  source = new MemorySource();
  clock = 1_000_000;
  reports = [];
  deferred = [];
  holder = new ReleaseHolder(source, {
    refreshInterval: 30_000,
    now: () => clock,
    report: (_event, error) => reports.push((error as Error).message),
  });
});

const current = async (): Promise<LoadedRelease> =>
  holder.current((work) => {
    deferred.push(work);
  });

/** Lets the refresh interval pass, asks once, and waits for the refresh behind the answer. */
async function refresh(): Promise<void> {
  clock += 30_000;
  await current();
  await Promise.all(deferred.splice(0));
}

async function publishFirst(): Promise<string> {
  const { release } = await source.publish(FIRST, '2026-01-01T00:00:00Z');
  expect((await current()).id).toBe(release);
  return release;
}

describe('first request', () => {
  it('says when nothing is published, and looks again next time', async () => {
    await expect(current()).rejects.toMatchObject({ code: 'snapshot_missing' });
    await publishFirst();
  });

  it('says when storage is unreachable, and recovers', async () => {
    source.failure = new Error('down');
    await expect(current()).rejects.toMatchObject({ code: 'storage_unreachable' });
    source.failure = null;
    await publishFirst();
  });

  it.each([
    ['a pointer that is not JSON', POINTER_KEY, 'nonsense'],
    ['a pointer of a newer format', POINTER_KEY, '{"format":2,"release":{}}'],
    [
      'a pointer to nowhere',
      POINTER_KEY,
      '{"format":1,"release":"0000000000000000","publishedAt":"2026-01-01T00:00:00Z"}',
    ],
  ])('survives %s', async (_name, key, text) => {
    await source.publish(FIRST, '2026-01-01T00:00:00Z');
    source.values.set(key, new TextEncoder().encode(text));
    await expect(current()).rejects.toMatchObject({ code: 'storage_unreachable' });
  });

  it('reads the index and no chunk', async () => {
    await publishFirst();
    expect(source.reads.map(({ freshness }) => freshness)).toEqual([
      'mutable',
      'immutable',
      'immutable',
    ]);
  });
});

describe('refresh', () => {
  it('happens behind an answer, once an interval', async () => {
    const first = await publishFirst();
    const { release } = await source.publish(SECOND, '2026-01-02T00:00:00Z');
    clock += 29_999;
    await current();
    expect(deferred).toHaveLength(0);
    clock += 1;
    expect((await current()).id).toBe(first);
    await current();
    expect(deferred).toHaveLength(1);
    await Promise.all(deferred);
    expect((await current()).id).toBe(release);
    expect((await current()).storeCount).toBe(9);
  });

  it('reads nothing but the pointer while nothing changes', async () => {
    await publishFirst();
    source.reads.length = 0;
    await refresh();
    expect(source.reads).toEqual([{ key: POINTER_KEY, freshness: 'mutable' }]);
  });

  it('takes the parts along that the old release had in use', async () => {
    await publishFirst();
    await (await current()).places();
    await (await current()).ranks('name', 'fr');
    await source.publish(SECOND, '2026-01-02T00:00:00Z');
    await refresh();
    source.reads.length = 0;
    await (await current()).places();
    await (await current()).ranks('name', 'fr');
    expect(source.reads).toEqual([]);
  });

  it('notices a release that was published again', async () => {
    await publishFirst();
    await source.publish(FIRST, '2026-03-03T00:00:00Z');
    await refresh();
    expect((await current()).publishedAt.toISOString()).toBe('2026-03-03T00:00:00.000Z');
  });

  it.each(['storage down', 'manifest missing', 'part missing', 'part damaged', 'newer format'])(
    'keeps the last good release: %s',
    async (fault) => {
      const first = await publishFirst();
      const second = await source.publish(SECOND, '2026-01-02T00:00:00Z');
      const part = objectKey(second.parts.stores?.hash ?? '');
      const good = new Map(source.values);
      if (fault === 'storage down') source.failure = new Error('down');
      if (fault === 'manifest missing') source.values.delete(releaseKey(second.release));
      if (fault === 'part missing') source.values.delete(part);
      if (fault === 'part damaged')
        source.values.set(
          part,
          (good.get(part) as Uint8Array).map((b) => b ^ 1),
        );
      if (fault === 'newer format') {
        source.values.set(POINTER_KEY, new TextEncoder().encode('{"format":2}'));
      }
      await refresh();
      expect(reports).toHaveLength(1);
      expect((await current()).id).toBe(first);

      source.failure = null;
      for (const [key, value] of good) source.values.set(key, value);
      await refresh();
      expect((await current()).id).toBe(second.release);
    },
  );

  it('keeps serving when the pointer disappears', async () => {
    const first = await publishFirst();
    source.values.delete(POINTER_KEY);
    await refresh();
    expect((await current()).id).toBe(first);
  });
});

describe('a chunk that is not there yet', () => {
  it('is asked for again past the cached miss, then the release is given up', async () => {
    await publishFirst();
    const old = await current();
    await source.publish(SECOND, '2026-01-02T00:00:00Z');
    await refresh();
    const fresh = await current();
    const hash = fresh.stores.chunkHash(0);
    const chunk = source.values.get(objectKey(hash)) as Uint8Array;
    source.values.delete(objectKey(hash));
    const store = fresh.stores.recordChunk.indexOf(0);
    source.reads.length = 0;
    await expect(fresh.chunksOf([store])).rejects.toMatchObject({ code: 'storage_unreachable' });
    expect(source.reads.map(({ freshness }) => freshness)).toEqual(['immutable', 'retry']);

    expect(holder.retreat(fresh)).toBe(old);
    expect(await current()).toBe(old);
    // A second request that was still working on the given-up release gets the old one too.
    expect(holder.retreat(fresh)).toBe(old);
    expect(holder.retreat(old)).toBeNull();

    source.values.set(objectKey(hash), chunk);
    await refresh();
    const again = await current();
    expect(again.id).toBe(fresh.id);
    expect(await again.chunksOf([store])).toHaveLength(1);
  });
});

describe('the release before', () => {
  it('is kept for three minutes to fall back on, and then let go', async () => {
    await publishFirst();
    const old = await current();
    await source.publish(SECOND, '2026-01-02T00:00:00Z');
    await refresh();
    const fresh = await current();
    for (let passed = 0; passed < 150_000; passed += 30_000) await refresh();
    expect(await current()).toBe(fresh);
    expect(holder.retreat(fresh)).toBe(old);
  });

  it('is gone after that', async () => {
    await publishFirst();
    await source.publish(SECOND, '2026-01-02T00:00:00Z');
    await refresh();
    const fresh = await current();
    for (let passed = 0; passed < 180_000; passed += 30_000) await refresh();
    expect(holder.retreat(fresh)).toBeNull();
    expect(await current()).toBe(fresh);
  });
});

describe('chunks', () => {
  it('are read once, in parallel, and verified', async () => {
    await publishFirst();
    const release = await current();
    source.reads.length = 0;
    const all = [...Array(release.storeCount).keys()];
    await release.chunksOf(all);
    expect(source.reads).toHaveLength(release.stores.chunkCount);
    source.reads.length = 0;
    expect(release.chunksOf(all)).toBeInstanceOf(Array);
    expect(source.reads).toEqual([]);
  });

  it('that are damaged in any byte are refused', async () => {
    await publishFirst();
    const release = await current();
    const key = objectKey(release.stores.chunkHash(0));
    const good = source.values.get(key) as Uint8Array;
    const store = release.stores.recordChunk.indexOf(0);
    for (let offset = 0; offset < good.length; offset += 997) {
      source.values.set(
        key,
        good.map((byte, at) => (at === offset ? byte ^ 0x20 : byte)),
      );
      await expect(release.chunksOf([store])).rejects.toMatchObject({
        code: 'storage_unreachable',
      });
    }
    source.values.set(key, good);
    expect(await release.chunksOf([store])).toHaveLength(1);
  });

  it('and index parts are what the release lists, and nothing else', async () => {
    const manifest = await source.publish(FIRST, '2026-01-01T00:00:00Z');
    const listed = await listObjects(
      manifest,
      async (hash) => source.values.get(objectKey(hash)) ?? null,
    );
    const stored = [...source.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
    expect(listed.map(({ hash }) => objectKey(hash)).sort()).toEqual(stored.sort());
    for (const { hash, bytes } of listed) {
      expect(source.values.get(objectKey(hash))).toHaveLength(bytes);
    }
  });
});
