/** Which paths and methods are answered, and in which order a request is judged. */
import { afterEach, describe, expect, it } from 'vitest';
import { buildStore } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import {
  issueToken,
  LIST,
  limiter,
  openService,
  openStage,
  publishStores,
  type Stage,
} from '../support/worker/harness.ts';

const KNOWN = [
  LIST,
  `${LIST}/store-1`,
  '/openapi.json',
  '/docs',
  '/docs/problems/internal',
  '/docs/operations/listStores',
  '/favicon.svg',
  '/explore',
  '/healthz',
];

afterEach(() => storage.reset());

/** Status and code of the answer, which must be a problem. */
async function refusal(stage: Stage, path: string, options = {}): Promise<string> {
  const response = await stage.request(path, options);
  const { code, status } = await response.json<{ code: string; status: number }>();
  expect(status).toBe(response.status);
  return `${status} ${code}`;
}

/** About as many as fit into the address of a request. */
const SLASHES = '/'.repeat(16_000);

const isPage = (path: string) => /^\/(docs|explore)/.test(path);

describe('paths', () => {
  it.each([
    ...KNOWN.filter((path) => !isPage(path)).map((path) => `${path}/`),
    ...['//', '/v2/external', '/v2/external/store', '/V2/external/stores', `/${LIST}`],
    ...[`${LIST}/store-1/x`, `${LIST}//`, '/docs/problems/toString'],
    ...['/docs.html/', '//docs/', '/docs/index.html', '/files', '/files/nope.js'],
    ...[`${SLASHES}x`, `/docs${SLASHES}x`],
    ...['/files/..%2Fdocs/index.html', '/favicon.ico', '/%', '/*', '/v2/external/stores%2Fstore-1'],
  ])('%.40s is none', async (path) => {
    expect(await refusal(openStage(), path)).toBe('404 route_unknown');
    const response = await openStage().request(path, { method: 'HEAD' });
    expect(response.status).toBe(404);
  });

  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/docs/operations', '/docs#operations'],
    ['/explore/', '/explore'],
    ['/docs/guides', '/docs#guides'],
    ['/docs/guides/near-a-place', '/docs/guides/finding-stores'],
    ['/docs/problems/', '/docs/problems'],
    ['/docs/problems/internal/', '/docs/problems/internal'],
    ['/docs//////', '/docs'],
    [`/docs${SLASHES}`, '/docs'],
  ])('%.40s leads to %s', async (path, page) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await openStage().request(path, { method });
      expect([status, headers.get('location')]).toEqual([302, page]);
    }
    expect(await refusal(openStage(), path, { method: 'POST' })).toBe('405 method_not_allowed');
  });

  it.each([
    [`/${LIST}/`, LIST],
    ['/V1/external/stores', LIST],
    ['/stores', LIST],
    ['/v2/changes', '/v2/external/changes'],
    [`${LIST}/store-1/`, `${LIST}/{id}`],
    ['/health', '/healthz'],
    // They are like none, and nothing of them is repeated.
    ['/%', null],
    [`/${'healthz'.repeat(100)}`, null],
    [`${LIST}/a/b/c/d/e/f/g`, null],
  ])('%.40s is answered with the path that was meant, %s', async (path, meant) => {
    const response = await openStage().request(path);
    const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
    expect(await response.json()).toMatchObject({ detail: `There is no such path.${hint}` });
  });

  it('never fail on bytes that make no sense', async () => {
    const { ask } = await openService();
    for (const name of ['%', '%zz', '%C3', '%C3%', '%25zz', 'é%', '%00', ':id', '*', '+.%2F']) {
      const { status } = await ask(`${LIST}/${name}`);
      expect(status, name).toBe(404);
    }
  });
});

it.each(KNOWN)('HEAD of %s is GET without the body', async (path) => {
  const { ask } = await openService();
  const headers = { 'x-request-id': 'same' };
  const get = await ask(path, { headers });
  const head = await ask(path, { headers, method: 'HEAD' });
  expect([get.status, head.status]).toEqual([200, 200]);
  const body = await get.arrayBuffer();
  expect(await head.text()).toBe('');
  expect(head.headers.get('content-length')).toBe(String(body.byteLength));
  const comparable = (response: Response) =>
    [...response.headers].filter(([name]) => !['content-length', 'server-timing'].includes(name));
  expect(comparable(head)).toEqual(comparable(get));
});

it('a request with several faults is judged by route, method, token, scope, rate, parameters and store, in this order', async () => {
  const path = `${LIST}/no-such-store`;
  const bad = `${path}?limit=x`;
  const fine = openStage();
  const limited = openStage({ RATE_LIMITER: limiter(false) });
  const poor = await issueToken({ scopes: ['stores:write:GET'] });
  const rich = await issueToken();
  expect(await refusal(limited, `${path}/?limit=x`, { method: 'POST' })).toBe('404 route_unknown');
  expect(await refusal(limited, bad, { method: 'POST' })).toBe('405 method_not_allowed');
  expect(await refusal(limited, bad)).toBe('401 token_missing');
  expect(await refusal(limited, bad, { token: poor })).toBe('403 scope_missing');
  expect(await refusal(limited, bad, { token: rich })).toBe('429 rate_limited');
  expect(await refusal(fine, bad, { token: rich })).toBe('400 invalid_parameters');
  expect(await refusal(fine, path, { token: rich })).toBe('503 snapshot_missing');
  await publishStores([buildStore()]);
  expect(await refusal(openStage(), path, { token: rich })).toBe('404 store_unknown');
});
