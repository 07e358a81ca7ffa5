/** Chunks of the release that an isolate holds: read once, verified, waited for when they are late. */
import { beforeEach, describe, expect, it } from 'vitest';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import { listObjects } from '../../src/snapshot/object-list.ts';
import { FIRST, HeldRelease } from './held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  isolate = new HeldRelease();
});

describe('chunks', () => {
  it('are read once, in parallel, and verified', async () => {
    await isolate.publishFirst();
    const release = await isolate.current();
    isolate.source.reads.length = 0;
    const all = [...Array(release.storeCount).keys()];
    await release.chunksOf(all);
    expect(isolate.source.reads).toHaveLength(release.stores.chunkCount);
    isolate.source.reads.length = 0;
    expect(release.chunksOf(all)).toBeInstanceOf(Array);
    expect(isolate.source.reads).toEqual([]);
  });

  it('that are damaged in any byte are refused', async () => {
    await isolate.publishFirst();
    const release = await isolate.current();
    const key = objectKey(release.stores.chunkHash(0));
    const good = isolate.source.values.get(key) as Uint8Array;
    const store = release.stores.recordChunk.indexOf(0);
    for (let offset = 0; offset < good.length; offset += 997) {
      isolate.source.values.set(
        key,
        good.map((byte, at) => (at === offset ? byte ^ 0x20 : byte)),
      );
      await expect(release.chunksOf([store])).rejects.toMatchObject({
        code: 'storage_unreachable',
      });
    }
    isolate.source.values.set(key, good);
    expect(await release.chunksOf([store])).toHaveLength(1);
  });

  it('and index parts are what the release lists, and nothing else', async () => {
    const manifest = await isolate.source.publish(FIRST, '2026-01-01T00:00:00Z');
    const listed = await listObjects(
      manifest,
      async (hash) => isolate.source.values.get(objectKey(hash)) ?? null,
    );
    const stored = [...isolate.source.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
    expect(listed.map(({ hash }) => objectKey(hash)).sort()).toEqual(stored.sort());
    for (const { hash, bytes } of listed) {
      expect(isolate.source.values.get(objectKey(hash))).toHaveLength(bytes);
    }
  });
});

describe('a chunk that is not there yet', () => {
  it('is asked for again past the cached miss, then the release is given up', async () => {
    await isolate.publishFirst();
    const old = await isolate.current();
    const fresh = await isolate.followSecond();
    const hash = fresh.stores.chunkHash(0);
    const chunk = isolate.source.values.get(objectKey(hash)) as Uint8Array;
    isolate.source.values.delete(objectKey(hash));
    const store = fresh.stores.recordChunk.indexOf(0);
    isolate.source.reads.length = 0;
    await expect(fresh.chunksOf([store])).rejects.toMatchObject({ code: 'storage_unreachable' });
    expect(isolate.source.reads.map(({ freshness }) => freshness)).toEqual(['immutable', 'retry']);

    expect(isolate.holder.retreat(fresh)).toBe(old);
    expect(await isolate.current()).toBe(old);
    // A second request that was still working on the given-up release gets the old one too.
    expect(isolate.holder.retreat(fresh)).toBe(old);
    expect(isolate.holder.retreat(old)).toBeNull();

    isolate.source.values.set(objectKey(hash), chunk);
    await isolate.refresh();
    const again = await isolate.current();
    expect(again.id).toBe(fresh.id);
    expect(await again.chunksOf([store])).toHaveLength(1);
  });
});
