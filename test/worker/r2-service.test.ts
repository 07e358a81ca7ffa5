/** The service with its snapshot in R2, whatever the cache in front of it does. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { compileValues } from '../shared/memory-snapshot.ts';
import { buildStore } from '../shared/store-builder.ts';
import { watchCacheWrites } from './cache-writes.ts';
import { issueToken, openStage, PUBLISHED_AT } from './harness.ts';

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
});
