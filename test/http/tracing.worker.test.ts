/** By what a request is found again: ids, the release, timings, and its line in the log. */

import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { hashToken, publicId } from '../../src/auth/token.ts';
import { releaseName } from '../../src/snapshot/keys.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let log: MockInstance<typeof console.log>;
let errors: MockInstance<typeof console.error>;

beforeEach(() => {
  log = vi.spyOn(console, 'log');
  errors = vi.spyOn(console, 'error');
});

afterEach(() => reset());

/** The lines logged so far, parsed. */
function lines(): Record<string, unknown>[] {
  return log.mock.calls.map(([text]) => JSON.parse(String(text)));
}

/** Everything written to the console so far. */
function written(): string {
  return [...log.mock.calls, ...errors.mock.calls].flat().join('\n');
}

describe('x-request-id', () => {
  it.each([
    '1-A_67.33:abcdef',
    'x'.repeat(128),
    `sk_prod_${'a'.repeat(32)}`,
    `sk_test_${'a'.repeat(21)}-bcd`,
    'task_test_42',
    'risk_live_1',
  ])("is the caller's own: %s", async (id) => {
    const response = await openStage().request('/docs', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(lines()[0]?.requestId).toBe(id);
  });

  it.each([
    ...['', 'x'.repeat(129), 'a b', 'a,b', '<x>', 'a/b'],
    `sk_live_${'a'.repeat(22)}`,
    `id:rsd_sk_test_${'a'.repeat(32)}.1`,
    `rsd_sk_test_${'a'.repeat(32)}-1`,
  ])('is a new one each time instead of "%s"', async (id) => {
    const stage = openStage();
    const given = async () => {
      const { headers } = await stage.request('/docs', { headers: { 'x-request-id': id } });
      return headers.get('x-request-id');
    };
    const first = await given();
    expect(first).toMatch(UUID);
    expect(await given()).not.toBe(first);
  });
});

describe('x-snapshot-release', () => {
  it('names the release that answered, and is absent where none did', async () => {
    const { release } = await publishStores([buildStore()]);
    const token = await issueToken();
    const stage = openStage();
    const releaseOf = async (path: string, options = {}) =>
      (await stage.request(path, options)).headers.get('x-snapshot-release');
    expect(await releaseOf(LIST, { token })).toBe(releaseName(1, release));
    expect(await releaseOf(`${LIST}/store-1`, { token })).toBe(releaseName(1, release));
    expect(await releaseOf('/healthz')).toBe(releaseName(1, release));
    expect(await releaseOf(LIST)).toBeNull();
    expect(await releaseOf(`${LIST}?limit=x`, { token })).toBeNull();
    expect(await releaseOf('/docs')).toBeNull();
  });
});

describe('Server-Timing', () => {
  it('shows what was gone through before an error', async () => {
    const token = await issueToken();
    const response = await openStage().request(`${LIST}?limit=x`, { token });
    expect(response.headers.get('server-timing')).toMatch(/^auth;dur=[\d.]+$/);
  });
});

describe('the wait for the release', () => {
  it('counts as loading, also where the answer is that nothing has changed', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const etag = (await openStage().request(LIST, { token })).headers.get('etag') ?? '';
    const headers = { 'if-none-match': etag };
    const response = await openStage().request(LIST, { token, headers });
    expect(response.status).toBe(304);
    expect(response.headers.get('server-timing')).toMatch(/load;dur=[\d.]+, query;dur=[\d.]+$/);
  });
});

describe('the log line', () => {
  it('tells of a request all that is needed', async () => {
    const { release } = await publishStores([buildStore()]);
    const token = await issueToken();
    const headers = { 'x-request-id': 'trace-me' };
    await openStage().request(`${LIST}?lang=en&limit=5`, { token, headers });
    expect(lines()).toEqual([
      {
        event: 'request',
        requestId: 'trace-me',
        release: releaseName(1, release),
        token: publicId(await hashToken(token)),
        method: 'GET',
        path: LIST,
        query: expect.stringMatching(/^skip=0&limit=5&.*&lang=en$/),
        status: 200,
        problem: null,
        timings: {
          auth: expect.any(Number),
          load: expect.any(Number),
          query: expect.any(Number),
          render: expect.any(Number),
        },
        storage: {
          reads: expect.any(Number),
          keys: expect.any(Number),
          bytes: expect.any(Number),
          waited: expect.any(Number),
          isolateAge: expect.any(Number),
        },
      },
    ]);
  });

  it('books what is read of storage for a single store as load', async () => {
    await publishStores([buildStore()]);
    const token = await issueToken();
    const stage = openStage();
    await stage.request(`${LIST}?limit=0`, { token });
    let milliseconds = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => milliseconds);
    const { SNAPSHOTS } = stage.env;
    const get = SNAPSHOTS.get.bind(SNAPSHOTS) as (...asked: unknown[]) => Promise<unknown>;
    vi.spyOn(SNAPSHOTS, 'get').mockImplementation((async (...asked: unknown[]) => {
      milliseconds += 40;
      return get(...asked);
    }) as never);
    const response = await stage.request(`${LIST}/${buildStore().id}`, { token });
    expect(response.status).toBe(200);
    // One part, then one chunk.
    expect(response.headers.get('server-timing')).toMatch(/load;dur=80, query;dur=0,/);
  });

  it('has the age of the isolate, which begins with the first request', async () => {
    const stage = openStage();
    const begin = performance.now();
    const now = vi.spyOn(performance, 'now').mockReturnValue(begin);
    await stage.request('/docs');
    now.mockReturnValue(begin + 1_234);
    await stage.request('/docs');
    const [first, second] = lines().map(
      ({ storage }) => (storage as { isolateAge: number }).isolateAge,
    );
    expect(Number.isInteger(first)).toBe(true);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(second).toBe(Number(first) + 1_234);
  });

  it('is written once for every request, with the problem it ended in', async () => {
    const token = await issueToken();
    const stage = openStage();
    await stage.request(LIST);
    await stage.request(`${LIST}?nope=1`, { token });
    await stage.request(LIST, { token, method: 'HEAD' });
    await stage.request('/nowhere', { method: 'POST' });
    expect(lines().map(({ method, status, problem }) => [method, status, problem])).toEqual([
      ['GET', 401, 'token_missing'],
      ['GET', 400, 'invalid_parameters'],
      ['HEAD', 503, 'snapshot_missing'],
      ['POST', 404, 'route_unknown'],
    ]);
    expect(lines()[0]).toMatchObject({ token: null, release: null, query: null });
  });

  it.each([
    ['token_revoked', { revokedAt: '2026-01-02T00:00:00Z' }],
    ['token_expired', { expiresAt: '2026-01-02T00:00:00Z' }],
    ['scope_missing', { scopes: ['items:read:GET'] }],
  ])('names the token of a caller who is refused for %s', async (problem, record) => {
    const token = await issueToken(record);
    const stage = openStage();
    // From storage, then from memory.
    await stage.request(LIST, { token });
    await stage.request(LIST, { token });
    const line = { problem, token: publicId(await hashToken(token)) };
    expect(lines()).toMatchObject([line, line]);
    expect(written()).not.toContain(token);
  });

  it('comes with another one about a fault of the service, with its cause', async () => {
    const token = await issueToken();
    const stage = openStage();
    vi.spyOn(stage.env.SNAPSHOTS, 'get').mockRejectedValue(new Error('KV is down'));
    const headers = { 'x-request-id': 'r1' };
    const response = await stage.request(LIST, { token, headers });
    expect(await response.text()).not.toContain('KV is down');
    expect(errors.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([
      {
        event: 'storage_unreachable',
        requestId: 'r1',
        error: expect.stringContaining('KV is down'),
      },
    ]);
    expect(lines()).toMatchObject([{ status: 503, problem: 'storage_unreachable' }]);
  });
});
