/** The service with its snapshot in R2, whatever the cache in front of it does. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CONNECTIONS } from '../../src/storage/r2-source.ts';
import { compileValues } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { watchCacheWrites } from '../support/worker/cache-writes.ts';
import { issueToken, ORIGIN, openStage, PUBLISHED_AT } from '../support/worker/harness.ts';

const rejecting = () => Promise.reject(new Error('the cache is down'));

let storeNumber = 1;

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

describe('the service over R2', () => {
  it.each<[string, string[], () => void]>([
    ['as it should', [], () => {}],
    [
      'without look-ups',
      ['snapshot_cache_unreadable'],
      () => vi.spyOn(caches.default, 'match').mockImplementation(rejecting),
    ],
    [
      'without writes',
      ['snapshot_cache_unwritable'],
      () => vi.spyOn(caches.default, 'put').mockImplementation(rejecting),
    ],
  ])('answers from fresh isolates with a cache that works %s', async (_, expected, damage) => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const cacheWrites = watchCacheWrites();
    damage();
    // Cached values outlive `reset`, so every case has a store of its own.
    const { values } = await compileValues(
      [buildStore(1), buildStore(++storeNumber)],
      PUBLISHED_AT,
    );
    for (const [name, value] of values) await env.SNAPSHOT_BUCKET.put(name, value);
    const token = await issueToken();
    for (let isolate = 0; isolate < 2; isolate++) {
      const stage = openStage({ SNAPSHOT_STORE: 'r2' });
      const response = await stage.request('/v2/external/stores', { token });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ total: 2 });
    }
    await cacheWrites();
    const events = errors.mock.calls.map(([line]) => JSON.parse(String(line)).event);
    expect([...new Set(events)]).toEqual(expected);
  });

  it('reads a page of 3 MiB by six connections, and from the cache the next time', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
    const stores = Array.from({ length: 100 }, () => {
      const store = buildStore(++storeNumber);
      // Of random letters: what can be compressed would be a smaller object.
      const text = crypto.getRandomValues(new Uint8Array(24_000)).toBase64();
      return {
        ...store,
        profile: { ...store.profile, description: { fr: text } },
      };
    });
    const { values } = await compileValues(stores, PUBLISHED_AT);
    for (const [name, value] of values) await env.SNAPSHOT_BUCKET.put(name, value);
    const token = await issueToken();
    const count = countOperations();
    for (const isSecond of [false, true]) {
      const { stage, bucketRead } = openBucketStage(count);
      const response = await stage.request('/v2/external/stores?limit=100', { token });
      const { docs } = await response.json<{ docs: unknown[] }>();
      expect(docs).toHaveLength(100);
      const objects = bucketRead.mock.calls.filter(([key]) => String(key).includes('/object/'));
      if (isSecond) expect(objects).toEqual([]);
      else expect(objects.length).toBeGreaterThan(3 * CONNECTIONS);
    }
    expect(count.most).toBe(CONNECTIONS);
    expect(errors).not.toHaveBeenCalled();
  }, 60_000);
});

it('serves nothing of what it keeps in the cache', async () => {
  const key = 'snapshot/object/kept';
  const headers = { 'cache-control': 'max-age=60' };
  await caches.default.put(`${ORIGIN}/v2/external/${key}`, new Response('kept', { headers }));
  const response = await openStage().request(`/v2/external/${key}`);
  expect(response.status).toBe(404);
});

/** How many operations on bucket and cache there are at the same time, at most. */
interface OperationCount {
  underWay: number;
  most: number;
}

/** Has every look-up in the cache take 100 ms, and counts operations of the cache. */
function countOperations(): OperationCount {
  const count = { underWay: 0, most: 0 };
  const { match, put } = caches.default;
  vi.spyOn(caches.default, 'match').mockImplementation((url) =>
    counted(count, async () => {
      await scheduler.wait(100);
      return match.call(caches.default, url);
    }),
  );
  vi.spyOn(caches.default, 'put').mockImplementation((url, response) =>
    counted(count, () => put.call(caches.default, url, response)),
  );
  return count;
}

/** A fresh isolate whose reads of the bucket are counted. */
function openBucketStage(count: OperationCount) {
  const bucketRead = vi.fn((key: string) =>
    counted(count, async () => {
      const object = await env.SNAPSHOT_BUCKET.get(key);
      const bytes = await object?.arrayBuffer();
      return object && { ...object, arrayBuffer: async () => bytes };
    }),
  );
  const bucket = { get: bucketRead } as unknown as R2Bucket;
  return { stage: openStage({ SNAPSHOT_STORE: 'r2', SNAPSHOT_BUCKET: bucket }), bucketRead };
}

async function counted<Value>(count: OperationCount, work: () => Promise<Value>): Promise<Value> {
  count.most = Math.max(count.most, ++count.underWay);
  try {
    return await work();
  } finally {
    count.underWay--;
  }
}
