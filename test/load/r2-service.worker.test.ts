/** The service with its snapshot in R2, and the cache of its place in front. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { compileValues } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { watchCacheWrites } from '../support/worker/cache-writes.ts';
import { issueToken, ORIGIN, openStage, PUBLISHED_AT } from '../support/worker/harness.ts';

afterEach(() => reset());

it('a fresh isolate finds in the cache what another one has read from R2', async () => {
  const errors = vi.spyOn(console, 'error');
  const cacheWrites = watchCacheWrites();
  // Cached values outlive `reset`: no other test has this store.
  const { values } = await compileValues([buildStore(4321)], PUBLISHED_AT);
  for (const [name, value] of values) await env.SNAPSHOT_BUCKET.put(name, value);
  const token = await issueToken();
  const bucketRead = vi.spyOn(env.SNAPSHOT_BUCKET, 'get');
  const objectsRead: number[] = [];
  for (let isolate = 0; isolate < 2; isolate++) {
    bucketRead.mockClear();
    const stage = openStage({ SNAPSHOT_STORE: 'r2' });
    const response = await stage.request('/v2/external/stores', { token });
    expect(await response.json()).toMatchObject({ total: 1 });
    await cacheWrites();
    objectsRead.push(bucketRead.mock.calls.filter(([key]) => key.includes('/object/')).length);
  }
  expect(objectsRead).toEqual([2, 0]);
  expect(errors).not.toHaveBeenCalled();
});

it('serves nothing of what it keeps in the cache', async () => {
  const key = 'snapshot/object/kept';
  const headers = { 'cache-control': 'max-age=60' };
  await caches.default.put(`${ORIGIN}/v2/external/${key}`, new Response('kept', { headers }));
  const response = await openStage().request(`/v2/external/${key}`);
  expect(response.status).toBe(404);
});
