/** By what a request is found again: ids, the release, timings, and its line in the log. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashToken, publicId } from '../../src/auth/token.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  issueToken,
  LIST,
  loggedFaults,
  loggedLines,
  openService,
  openStage,
} from '../support/worker/harness.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

afterEach(() => storage.reset());

describe('x-request-id', () => {
  /** The id that an answer has. */
  const idFor = async (id: string) => {
    const response = await openStage().request('/docs', { headers: { 'x-request-id': id } });
    return response.headers.get('x-request-id');
  };

  it.each([
    '1-A_67.33:abcdef',
    'x'.repeat(128),
    `sk_prod_${'a'.repeat(32)}`,
    `sk_test_${'a'.repeat(21)}-bcd`,
    'risk_live_1',
  ])("is the caller's own: %s", async (id) => {
    expect(await idFor(id)).toBe(id);
    expect(loggedLines()).toMatchObject([{ requestId: id }]);
  });

  it.each([
    ...['', 'x'.repeat(129), 'a b', 'a,b', '<x>', 'a/b'],
    `id:rsd_sk_test_${'a'.repeat(22)}.1`,
  ])('is a new one each time instead of "%s"', async (id) => {
    const first = await idFor(id);
    expect(first).toMatch(UUID);
    expect(await idFor(id)).not.toBe(first);
  });
});

it('x-snapshot-release names the release that answered, and is absent where none did', async () => {
  const { ask, stage } = await openService();
  const releases = (paths: string[], request: typeof ask) =>
    Promise.all(paths.map(async (path) => (await request(path)).headers.get('x-snapshot-release')));
  const [release] = await releases([LIST], ask);
  expect(release).toMatch(/^1-[0-9a-f]{16}$/);
  expect(await releases([`${LIST}/store-1`, '/healthz'], ask)).toEqual([release, release]);
  expect(await releases([`${LIST}?limit=x`, '/docs'], ask)).toEqual([null, null]);
  expect(await releases([LIST], stage.request)).toEqual([null]);
});

it('Server-Timing shows what was gone through, before an error and where nothing has changed, too', async () => {
  const { ask } = await openService();
  const timing = async (path: string, headers = {}) =>
    (await ask(path, { headers })).headers.get('server-timing');
  expect(await timing(`${LIST}?limit=x`)).toMatch(/^auth;dur=[\d.]+$/);
  // To wait for the release is to load it.
  const same = await timing(LIST, { 'if-none-match': '*' });
  expect(same).toMatch(/load;dur=[\d.]+, query;dur=[\d.]+$/);
});

describe('the log line', () => {
  it('tells of a request all that is needed', async () => {
    const { ask, token } = await openService();
    const response = await ask(`${LIST}?lang=en&limit=5`, { headers: { 'x-request-id': 'mine' } });
    const figure = expect.any(Number);
    expect(loggedLines()).toEqual([
      {
        event: 'request',
        requestId: 'mine',
        release: response.headers.get('x-snapshot-release'),
        token: publicId(await hashToken(token)),
        method: 'GET',
        path: LIST,
        query: expect.stringMatching(/^skip=0&limit=5&.*&lang=en$/),
        status: 200,
        problem: null,
        timings: { auth: figure, load: figure, query: figure, render: figure },
        storage: { reads: figure, keys: figure, bytes: figure, waited: figure, isolateAge: figure },
      },
    ]);
  });

  it('books what is read of storage for a single store as load', async () => {
    const { ask, stage } = await openService();
    await ask(`${LIST}?limit=0`);
    const { mock } = vi.spyOn(stage.env.SNAPSHOTS, 'get');
    // Each read takes 40 ms.
    vi.spyOn(performance, 'now').mockImplementation(() => 40 * mock.calls.length);
    const response = await ask(`${LIST}/${buildStore().id}`);
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
    const [first, second] = loggedLines().map(
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
    expect(loggedLines().map(({ method, status, problem }) => [method, status, problem])).toEqual([
      ['GET', 401, 'token_missing'],
      ['GET', 400, 'invalid_parameters'],
      ['HEAD', 503, 'snapshot_missing'],
      ['POST', 404, 'route_unknown'],
    ]);
    expect(loggedLines()[0]).toMatchObject({ token: null, release: null, query: null });
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
    expect(loggedLines()).toMatchObject([line, line]);
    expect(JSON.stringify([loggedLines(), loggedFaults()])).not.toContain(token);
  });

  it('comes with another one about a fault of the service, with its cause', async () => {
    const { ask, stage } = await openService();
    vi.spyOn(stage.env.SNAPSHOTS, 'get').mockRejectedValue(new Error('KV is down'));
    const response = await ask(LIST, { headers: { 'x-request-id': 'r1' } });
    expect(await response.text()).not.toContain('KV is down');
    const error = expect.stringContaining('KV is down');
    expect(loggedFaults()).toEqual([{ event: 'storage_unreachable', requestId: 'r1', error }]);
  });
});
