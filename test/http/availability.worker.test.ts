/** What the front door answers when there is nothing to serve, or storage fails. */
import { reset } from 'cloudflare:test';
import { env as bindings, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { LAST_RUN_KEY, objectKey, POINTER_KEY, releaseName } from '../../src/snapshot/keys.ts';
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { sealJson } from '../../src/storage/sealed-json.ts';
import { decodePointer, GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, PUBLISHED_AT, publishStores } from '../support/worker/harness.ts';
import { standStill } from '../support/worker/held-storage.ts';

const LIST = '/v2/external/stores';

let log: MockInstance<typeof console.log>;
let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  log = vi.spyOn(console, 'log');
  errors = vi.spyOn(console, 'error');
});

afterEach(() => reset());

const events = (): string[] =>
  errors.mock.calls.map(([text]) => JSON.parse(String(text)).event as string);

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
      ranAt: null,
      ranAge: null,
    });
  });
});

describe('the last run of publishing', () => {
  const HOUR = 3_600_000;
  const NOW = Date.parse(PUBLISHED_AT) + 24 * HOUR;
  const TOO_LATE = { status: 503, code: 'run_overdue' };

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    await publishStores([buildStore(1)]);
  });

  const run = (ranAt: string) =>
    bindings.SNAPSHOTS.put(LAST_RUN_KEY, sealJson({ ranAt, release: 'any' }));

  /** What an isolate that knows nothing yet answers. */
  async function ask(path: string, replaced: Partial<Env> = {}) {
    const response = await openStage(replaced).request(path);
    return { status: response.status, ...(await response.json<object>()) };
  }

  it('is told, and is not when the release was published', async () => {
    await run(new Date(NOW - 90_500).toISOString());
    expect(await ask('/healthz')).toMatchObject({
      age: 24 * 3_600,
      ranAt: new Date(NOW - 90_500).toISOString(),
      ranAge: 90,
    });
    await run(new Date(NOW + 5_000).toISOString());
    expect(await ask('/healthz')).toMatchObject({ ranAge: 0 });
  });

  it('may lie as far back as is asked, and not a second more', async () => {
    await run(new Date(NOW - 3 * HOUR).toISOString());
    expect(await ask('/healthz?ran-within=10800')).toMatchObject({ status: 'ok', ranAge: 10_800 });
    await run(new Date(NOW - 3 * HOUR - 1_000).toISOString());
    const overdue = await openStage().request('/healthz?ran-within=10800');
    expect(overdue.headers.get('retry-after')).toBe('60');
    expect(await overdue.json()).toMatchObject({
      ...TOO_LATE,
      detail: `Publishing last ran to its end at ${new Date(NOW - 3 * HOUR - 1_000).toISOString()}, 10801 seconds ago; asked for are 10800 at most.`,
    });
    expect(await ask('/healthz')).toMatchObject({ status: 'ok', ranAge: 10_801 });
  });

  it('costs two keys in a fresh isolate and later on, and none for half a minute', async () => {
    const stage = openStage({ ENVIRONMENT: 'production' });
    const cost = async () => {
      await stage.request('/healthz?ran-within=10800');
      const { problem, storage } = JSON.parse(String(log.mock.lastCall));
      expect(problem).toBe('run_overdue');
      return storage.keys;
    };
    expect(await cost()).toBe(2);
    expect(await cost()).toBe(0);
    vi.advanceTimersByTime(29_000);
    expect(await cost()).toBe(0);
    vi.advanceTimersByTime(2_000);
    expect([1, 2]).toContain(await cost());
  });

  it.each(['0', '-1', '1.5', 'soon', ''])('within "%s" seconds is a 400', async (text) => {
    expect(await ask(`/healthz?ran-within=${text}`)).toMatchObject({
      status: 400,
      errors: [{ parameter: 'ran-within' }],
    });
  });
});

describe('without a snapshot', () => {
  it('/healthz is a 503', async () => {
    const response = await openStage().request('/healthz');
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'snapshot_missing' });
    expect(response.headers.get('retry-after')).toBe('30');
    expect(response.headers.get('x-snapshot-release')).toBeNull();
  });
});

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

it('a release that cannot be read from, nor the one before it, is a 503', async () => {
  standStill();
  const ranks = 'rank/slug';
  await publishStores([buildStore(1)]);
  const second = await publishStores([buildStore(1), buildStore(2)]);
  await bindings.SNAPSHOTS.delete(objectKey(GENERATION, second.parts[ranks]?.hash ?? ''));
  // In the release before, an object as it should be by its hash, but no column of ranks.
  const pointer = decodePointer(
    await bindings.SNAPSHOTS.get(POINTER_KEY, 'arrayBuffer'),
  ) as Pointer;
  const parts = pointer.before?.manifest.parts as Record<string, unknown>;
  parts[ranks] = parts.ids;
  await bindings.SNAPSHOTS.put(POINTER_KEY, sealJson(pointer));
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
