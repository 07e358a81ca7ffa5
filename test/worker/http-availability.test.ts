/** What the front door answers when there is nothing to serve, or storage fails. */
import { reset } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { PROBLEMS, ProblemError } from '../../src/problem.ts';
import { objectKey, releaseName } from '../../src/snapshot/keys.ts';
import { compileValues } from '../shared/memory-snapshot.ts';
import { buildStore } from '../shared/store-builder.ts';
import { watchCacheWrites } from './cache-writes.ts';
import { issueToken, openStage, PUBLISHED_AT, publishStores } from './harness.ts';

const LIST = '/v2/external/stores';

let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  errors = vi.spyOn(console, 'error').mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  return reset();
});

const events = (): string[] =>
  errors.mock.calls.map(([text]) => JSON.parse(String(text)).event as string);

const breakStorage = () =>
  vi.spyOn(bindings.SNAPSHOTS, 'get').mockRejectedValue(new Error('KV is down'));

describe('/healthz', () => {
  it('tells the release, its age in seconds and the number of stores, without a token', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(PUBLISHED_AT) + 90_500 });
    const { release } = await publishStores([buildStore(1), buildStore(2)]);
    const response = await openStage().request('/healthz');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      status: 'ok',
      release: releaseName(1, release),
      publishedAt: PUBLISHED_AT,
      age: 90,
      storeCount: 2,
    });
  });

  it('knows no age below zero, should clocks differ', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(PUBLISHED_AT) - 5_000 });
    await publishStores([]);
    const response = await openStage().request('/healthz');
    expect(await response.json()).toMatchObject({ age: 0, storeCount: 0 });
  });
});

describe('without a snapshot', () => {
  it.each(['/healthz', LIST, `${LIST}/store-1`])('%s is a 503', async (path) => {
    const response = await openStage().request(path, { token: await issueToken() });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'snapshot_missing', instance: path });
    expect(response.headers.get('retry-after')).toBe('30');
    expect(response.headers.get('x-snapshot-release')).toBeNull();
  });

  it('bad parameters are refused as ever, and pages are served', async () => {
    const stage = openStage();
    const token = await issueToken();
    expect((await stage.request(`${LIST}?limit=x`, { token })).status).toBe(400);
    for (const path of ['/docs', '/openapi.json']) {
      expect((await stage.request(path)).status).toBe(200);
    }
  });

  it('the first one is served as soon as it is there', async () => {
    const stage = openStage();
    expect((await stage.request('/healthz')).status).toBe(503);
    await publishStores([buildStore()]);
    expect((await stage.request('/healthz')).status).toBe(200);
  });
});

describe('with storage out of reach', () => {
  it.each(['/healthz', LIST, `${LIST}/store-1`])('%s is a 503 of a fresh isolate', async (path) => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    breakStorage();
    const response = await openStage().request(path, { token });
    expect(response.status).toBe(503);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: 'storage_unreachable' });
    expect(response.headers.get('retry-after')).toBe('5');
    expect(text).not.toContain('KV is down');
    expect(events()).toEqual(['storage_unreachable']);
  });

  it('what is in memory is served on, and the failed refresh reported', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await publishStores([buildStore()]);
    const token = await issueToken();
    const stage = openStage();
    const before = await (await stage.request(LIST, { token })).text();
    breakStorage();
    vi.setSystemTime(Date.now() + 40_000);
    const response = await stage.request(LIST, { token });
    expect(await response.text()).toBe(before);
    expect(events()).toEqual(['refresh_failed']);
  });

  it('a token that cannot be checked is a 503, not a 401', async () => {
    const token = await issueToken();
    vi.spyOn(bindings.TOKENS, 'get').mockRejectedValue(new Error('KV is down'));
    const response = await openStage().request(LIST, { token });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'storage_unreachable' });
  });
});

describe('a problem', () => {
  it.each(Object.keys(PROBLEMS) as (keyof typeof PROBLEMS)[])(
    '%s says when to try again exactly if it is a 503, whoever throws it',
    (code) => {
      const { status, headers } = new ProblemError(code, 'Any.');
      const retryAfter = headers['retry-after'];
      if (status === 503) expect(retryAfter).toMatch(/^[1-9][0-9]*$/);
      else expect(retryAfter).toBeUndefined();
    },
  );
});

describe('a new release', () => {
  it('takes over behind an answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const old = await publishStores([buildStore(1)]);
    const token = await issueToken();
    const stage = openStage();
    const releaseOf = async () =>
      (await stage.request(LIST, { token })).headers.get('x-snapshot-release');
    expect(await releaseOf()).toBe(releaseName(1, old.release));
    const fresh = await publishStores([buildStore(1), buildStore(2)]);
    vi.setSystemTime(Date.now() + 40_000);
    expect(await releaseOf()).toBe(releaseName(1, old.release));
    expect(await releaseOf()).toBe(releaseName(2, fresh.release));
  });

  it('whose chunks have not arrived leaves the one before answering', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const old = await publishStores([buildStore(1)]);
    const token = await issueToken();
    const stage = openStage();
    const path = `${LIST}?fields=slug&limit=1`;
    const tag = (await stage.request(path, { token })).headers.get('etag');
    const stores = [buildStore(1), buildStore(2)];
    await publishStores(stores);
    await removeChunks(stores);
    vi.setSystemTime(Date.now() + 40_000);
    await stage.request('/healthz');
    const response = await stage.request(path, { token });
    expect(await response.json()).toEqual({ total: 1, docs: [{ slug: 'store-1' }] });
    expect(response.headers.get('x-snapshot-release')).toBe(releaseName(1, old.release));
    expect(response.headers.get('etag')).toBe(tag);
    expect(events()).toEqual(['release_unreadable']);
  });

  it('whose chunks have not arrived is a 503 where there is no other', async () => {
    const stores = [buildStore(1)];
    await publishStores(stores);
    await removeChunks(stores);
    const response = await openStage().request(LIST, { token: await issueToken() });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject({ code: 'storage_unreachable' });
  });
});

/** Takes the objects of a published release away that are no index parts. */
async function removeChunks(stores: Parameters<typeof publishStores>[0]): Promise<void> {
  const { manifest, values } = await compileValues(stores, PUBLISHED_AT);
  const parts = new Set(Object.values(manifest.parts).map(({ hash }) => objectKey(hash)));
  const chunks = [...values.keys()].filter((key) => key.includes('object') && !parts.has(key));
  expect(chunks).not.toEqual([]);
  for (const key of chunks) await bindings.SNAPSHOTS.delete(key);
}

describe('the environment', () => {
  it('keeps one memory for all requests of an isolate', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const ask = () =>
      exports.default.fetch(`https://stores.test${LIST}`, { headers: { 'x-access-token': token } });
    const reads = vi.spyOn(bindings.TOKENS, 'get');
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(reads).toHaveBeenCalledTimes(1);
  });

  it('can have R2 hold the snapshot', async () => {
    const cacheWrites = watchCacheWrites();
    const { values } = await compileValues([buildStore()], PUBLISHED_AT);
    for (const [key, value] of values) await bindings.SNAPSHOT_BUCKET.put(key, value);
    const stage = openStage({ SNAPSHOT_STORE: 'r2' });
    const response = await stage.request(`${LIST}?fields=slug`, { token: await issueToken() });
    expect(await response.json()).toEqual({ total: 1, docs: [{ slug: 'store-1' }] });
    await cacheWrites();
  });

  it.each([{ ENVIRONMENT: 'moon' }, { SNAPSHOT_STORE: 'disk' }])(
    'of %o is an internal error that tells callers nothing, and operators what',
    async (variables) => {
      const response = await openStage(variables).request('/healthz');
      expect(response.status).toBe(500);
      const [[name, value] = []] = Object.entries(variables);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code: 'internal', type: '/docs/problems/internal' });
      expect(text).not.toContain(value);
      expect(events()).toEqual(['internal']);
      expect(String(errors.mock.calls[0]?.[0])).toContain(`${name}: got`);
    },
  );
});
