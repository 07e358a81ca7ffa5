/**
 * What the front door answers when there is nothing to serve, or storage fails; and whom it lets in: tokens, scopes
 * and allowances. The rules are tested beside src/auth.
 */
import { env as bindings, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LAST_RUN_KEY, objectKey, POINTER_KEY, releaseName } from '../../src/snapshot/keys.ts';
import { GENERATION, PUBLISHED_AT, publish, valueInKv } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  issueToken,
  LIST,
  loggedFaults,
  loggedLines,
  ORIGIN,
  openService,
  openStage,
  publishStores,
} from '../support/worker/harness.ts';

afterEach(() => storage.reset());

const iso = (instant: number) => new Date(instant).toISOString();

/** Notes when publishing last ran. */
const run = (ranAt: number) => storage.write(LAST_RUN_KEY, { ranAt: iso(ranAt), release: 'any' });

/** What an isolate that knows nothing yet answers. */
const ask = async (path: string) => (await openStage().request(path)).json();

it('/healthz tells the release, its age in seconds, the number of stores and the last run, without a token', async () => {
  const now = Date.parse(PUBLISHED_AT) + 90_500;
  vi.useFakeTimers({ toFake: ['Date'], now });
  const { release } = await publishStores([buildStore(1), buildStore(2)]);
  const response = await openStage().request('/healthz');
  expect(response.headers.get('cache-control')).toBe('no-store');
  const health = {
    status: 'ok',
    release: releaseName(1, release),
    publishedAt: PUBLISHED_AT,
    age: 90,
    storeCount: 2,
  };
  expect(await response.json()).toEqual({ ...health, ranAt: null, ranAge: null });
  run(now - 30_500);
  expect(await ask('/healthz')).toEqual({ ...health, ranAt: iso(now - 30_500), ranAge: 30 });
  run(now + 5_000);
  expect(await ask('/healthz')).toMatchObject({ ranAge: 0 });
});

describe('the last run of publishing', () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse(PUBLISHED_AT) + 24 * HOUR;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    await publishStores([buildStore(1)]);
  });

  it('may lie as far back as is asked, and not a second more', async () => {
    run(NOW - 3 * HOUR);
    expect(await ask('/healthz?ran-within=10800')).toMatchObject({ status: 'ok', ranAge: 10_800 });
    const late = NOW - 3 * HOUR - 1_000;
    run(late);
    const overdue = await openStage().request('/healthz?ran-within=10800');
    expect(overdue.headers.get('retry-after')).toBe('60');
    expect(await overdue.json()).toMatchObject({
      status: 503,
      code: 'run_overdue',
      detail: `Publishing last ran to its end at ${iso(late)}, 10801 seconds ago; asked for are 10800 at most.`,
    });
    expect(await ask('/healthz')).toMatchObject({ status: 'ok', ranAge: 10_801 });
  });

  it('costs two keys in a fresh isolate and later on, and none for half a minute', async () => {
    const stage = openStage({ ENVIRONMENT: 'production' });
    const cost = async () => {
      await stage.request('/healthz?ran-within=10800');
      const { problem, storage } = loggedLines().at(-1) ?? {};
      expect(problem).toBe('run_overdue');
      return (storage as { keys: number }).keys;
    };
    expect(await cost()).toBe(2);
    vi.advanceTimersByTime(29_000);
    expect(await cost()).toBe(0);
    vi.advanceTimersByTime(2_000);
    expect([1, 2]).toContain(await cost());
  });
});

it('without a snapshot /healthz is a 503', async () => {
  const response = await openStage().request('/healthz');
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: 'snapshot_missing' });
  expect(response.headers.get('retry-after')).toBe('30');
  expect(response.headers.get('x-snapshot-release')).toBeNull();
});

describe('the environment', () => {
  it('keeps one memory for all requests of an isolate', async () => {
    const { token } = await openService();
    for (const [key, bytes] of storage.values) {
      for (const kv of [bindings.TOKENS, bindings.SNAPSHOTS])
        await kv.put(key, valueInKv(key, bytes));
    }
    const ask = () =>
      exports.default.fetch(ORIGIN + LIST, { headers: { 'x-access-token': token } });
    const reads = vi.spyOn(bindings.TOKENS, 'get');
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(200);
    expect(reads).toHaveBeenCalledTimes(1);
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
      const error = expect.stringContaining(`${name}: got`);
      expect(loggedFaults()).toMatchObject([{ event: 'internal', error }]);
    },
  );
});

it('a release that cannot be read from, nor the one before it, is a 503', async () => {
  // By a real clock a slow machine looks at the pointer once more.
  vi.useFakeTimers({ toFake: ['Date'] });
  const ranks = 'rank/slug';
  await publishStores([buildStore(1)]);
  const { pointer } = await publish(storage.values, [buildStore(1), buildStore(2)]);
  storage.values.delete(objectKey(GENERATION, pointer.manifest.parts[ranks]?.hash ?? ''));
  // In the release before, an object as it should be by its hash, but no column of ranks.
  const parts = pointer.before?.manifest.parts as Record<string, unknown>;
  parts[ranks] = parts.ids;
  storage.write(POINTER_KEY, pointer);
  const response = await openStage().request(`${LIST}?sort=slug__desc`, {
    token: await issueToken(),
  });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'storage_unreachable',
    detail: 'Part of the store data is damaged.',
  });
  expect(response.headers.get('retry-after')).toBe('5');
});

it('a token without the scope is told which one it lacks', async () => {
  const token = await issueToken({ scopes: ['items:*:*'] });
  const refused = await openStage().request(LIST, { token });
  const detail = expect.stringContaining('stores:read:GET');
  expect(await refused.json()).toMatchObject({ status: 403, detail });
});

describe('an allowance', () => {
  it('is told with every answer to a good token', async () => {
    const { ask } = await openService();
    for (const path of [LIST, `${LIST}/store-1`, `${LIST}/nobody`, `${LIST}?limit=x`]) {
      const { headers } = await ask(path);
      expect(headers.get('ratelimit-policy'), path).toBe('"default";q=6000;w=60');
    }
  });

  it('that is used up is a 429 with Retry-After, asking the limiter about the public id only', async () => {
    const token = await issueToken();
    const limit = vi.fn(async () => ({ success: false }));
    const stage = openStage({ RATE_LIMITER: { limit }, RATE_LIMIT_PERIOD: '10' });
    const response = await stage.request(LIST, { token });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(limit).toHaveBeenCalledExactlyOnceWith({ key: expect.stringMatching(/^[0-9a-f]{12}$/) });
  });

  it('is for each token by itself, in the real binding', async () => {
    await publishStores([buildStore()]);
    const [one, other] = [await issueToken(), await issueToken()];
    const { FEW_REQUESTS } = bindings as unknown as { FEW_REQUESTS: RateLimit };
    const stage = openStage({ RATE_LIMITER: FEW_REQUESTS });
    const ask = async () => (await stage.request(LIST, { token: one })).status;
    expect(await ask()).toBe(200);
    // The minute may end in the middle, and another begin.
    while ((await ask()) !== 429);
    expect((await stage.request(LIST, { token: other })).status).toBe(200);
  });
});
