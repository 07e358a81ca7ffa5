/** Chunks of the release that an isolate holds: read once, verified, waited for when they are late. */
import { beforeEach, describe, expect, it } from 'vitest';
import { listObjects } from '../../scripts/release/objects.ts';
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import { OBJECT_PREFIX, objectKey } from '../../src/snapshot/keys.ts';
import { CHUNKS_PART } from '../../src/snapshot/manifest.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { FIRST, HeldRelease } from './support/held-release.ts';

let isolate: HeldRelease;

beforeEach(() => {
  isolate = new HeldRelease();
});

/** The release that a request gets, its list of chunks in memory; what was read is forgotten. */
async function withChunks(found: LoadedRelease): Promise<LoadedRelease> {
  await found.load([CHUNKS_PART], isolate);
  isolate.source.reads.length = 0;
  return found;
}

describe('chunks', () => {
  it('are read once, and are in memory then', async () => {
    await isolate.publishFirst();
    const release = await withChunks(await isolate.current());
    const all = [...Array(release.storeCount).keys()];
    const { chunks } = await release.withRecords(all, isolate, (records) => records);
    expect(chunks).toHaveLength(all.length);
    expect(isolate.source.reads).toHaveLength(release.chunkTable.chunkCount);
    isolate.source.reads.length = 0;
    expect(release.heldRecords(all)).not.toBeNull();
    expect(isolate.source.reads).toEqual([]);
  });

  it('that are damaged in any byte are refused', async () => {
    await isolate.publishFirst();
    const release = await withChunks(await isolate.current());
    const key = objectKey(GENERATION, release.chunkTable.hash(0));
    const good = isolate.source.values.get(key) as Uint8Array;
    for (let offset = 0; offset < good.length; offset += 997) {
      isolate.source.values.set(
        key,
        good.map((byte, at) => (at === offset ? byte ^ 0x20 : byte)),
      );
      await expect(release.withRecords([0], isolate, (records) => records)).rejects.toMatchObject({
        code: 'storage_unreachable',
      });
    }
    isolate.source.values.set(key, good);
    expect((await release.withRecords([0], isolate, (records) => records)).indexes).toEqual([0]);
  });

  it('and index parts are what the release lists, and nothing else', async () => {
    const manifest = await isolate.source.publish(FIRST, '2026-01-01T00:00:00Z');
    const listed = await listObjects(
      manifest,
      async (hash) => isolate.source.values.get(objectKey(GENERATION, hash)) ?? null,
    );
    const stored = [...isolate.source.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
    expect(listed.map(({ hash }) => objectKey(GENERATION, hash)).sort()).toEqual(stored.sort());
    for (const { hash, bytes } of listed) {
      expect(isolate.source.values.get(objectKey(GENERATION, hash))).toHaveLength(bytes);
    }
  });
});

describe('a chunk that is not there yet', () => {
  it('is asked for again past the cached miss, then the release is given up', async () => {
    await isolate.publishFirst();
    const old = await isolate.current();
    const fresh = await withChunks(await isolate.followSecond());
    const key = objectKey(GENERATION, fresh.chunkTable.hash(0));
    const chunk = isolate.source.values.get(key) as Uint8Array;
    isolate.source.values.delete(key);
    await expect(fresh.withRecords([0], isolate, (records) => records)).rejects.toMatchObject({
      code: 'storage_unreachable',
    });
    expect(isolate.source.reads.map(({ freshness }) => freshness)).toEqual(['cached', 'retry']);

    expect(await isolate.insteadOf(fresh)).toBe(old);
    expect(await isolate.current()).toBe(old);
    // A second request that was still working on the given-up release gets the old one too.
    expect(await isolate.insteadOf(fresh)).toBe(old);

    isolate.source.values.set(key, chunk);
    await isolate.refreshFor(2 * 60_000);
    const again = await withChunks(await isolate.current());
    expect(again.id).toBe(fresh.id);
    expect((await again.withRecords([0], isolate, (records) => records)).indexes).toEqual([0]);
  });
});
