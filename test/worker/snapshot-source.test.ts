/** One contract for every place that snapshots are kept in, over the real local bindings. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KvSource } from '../../src/storage/kv-source.ts';
import { R2Source } from '../../src/storage/r2-source.ts';
import type { Freshness, SnapshotSource } from '../../src/storage/snapshot-source.ts';

interface Kept {
  readonly source: SnapshotSource;
  put(key: string, bytes: Uint8Array): Promise<unknown>;
  /** Makes the next read of the binding fail. */
  break(): void;
}

/** What the sources write to a cache behind their answers. */
const cacheWrites: Promise<void>[] = [];

const places: [string, () => Kept][] = [
  [
    'KV',
    () => ({
      source: new KvSource(env.SNAPSHOTS),
      put: (key, bytes) => env.SNAPSHOTS.put(key, bytes),
      break: () => vi.spyOn(env.SNAPSHOTS, 'get').mockRejectedValue(new Error('KV is down')),
    }),
  ],
  [
    'R2',
    () => ({
      source: new R2Source(env.SNAPSHOT_BUCKET, caches.default, {
        defer: (write) => cacheWrites.push(write),
      }),
      put: (key, bytes) => env.SNAPSHOT_BUCKET.put(key, bytes),
      break: () => vi.spyOn(env.SNAPSHOT_BUCKET, 'get').mockRejectedValue(new Error('R2 is down')),
    }),
  ],
];

const freshnesses: Freshness[] = ['immutable', 'mutable', 'retry'];
const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251);

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(cacheWrites.splice(0));
  await reset();
});

describe.each(places)('snapshots in %s', (name, open) => {
  /** Cached values outlive `reset`, so every test has keys of its own. */
  let number = 0;
  const freshKey = () => `snapshot/object/${name}-${number++}`;

  it.each(freshnesses)('are read whole, byte for byte (%s)', async (freshness) => {
    const { source, put } = open();
    const key = freshKey();
    await put(key, BYTES);
    for (let time = 0; time < 2; time++) {
      const bytes = await source.read(key, freshness);
      expect(bytes).toBeInstanceOf(ArrayBuffer);
      expect(new Uint8Array(bytes as ArrayBuffer)).toEqual(BYTES);
    }
  });

  it.each(freshnesses)('may be empty (%s)', async (freshness) => {
    const { source, put } = open();
    const key = freshKey();
    await put(key, new Uint8Array(0));
    expect((await source.read(key, freshness))?.byteLength).toBe(0);
  });

  it.each(freshnesses)('are null where there is nothing (%s)', async (freshness) => {
    expect(await open().source.read(freshKey(), freshness)).toBeNull();
  });

  it('are found on retry after a miss', async () => {
    const { source, put } = open();
    const key = freshKey();
    expect(await source.read(key, 'immutable')).toBeNull();
    await put(key, BYTES);
    expect((await source.read(key, 'retry'))?.byteLength).toBe(BYTES.length);
    expect((await source.read(key, 'immutable'))?.byteLength).toBe(BYTES.length);
  });

  it('are read anew where they are mutable', async () => {
    const { source, put } = open();
    const key = freshKey();
    await put(key, Uint8Array.of(1));
    expect((await source.read(key, 'mutable'))?.byteLength).toBe(1);
    await put(key, Uint8Array.of(1, 2));
    expect((await source.read(key, 'mutable'))?.byteLength).toBe(2);
  });

  it('that cannot be reached are an error, not a miss', async () => {
    const kept = open();
    kept.break();
    await expect(kept.source.read(freshKey(), 'immutable')).rejects.toThrow('is down');
  });
});
