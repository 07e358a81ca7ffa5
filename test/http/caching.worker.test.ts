/** Headers by which answers are kept and asked for again. */
import { reset } from 'cloudflare:test';
import { afterEach, describe, expect, it } from 'vitest';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import {
  issueToken,
  openStage,
  PUBLISHED_AT,
  publishStores,
  type Stage,
} from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const STORE = `${LIST}/store-1`;

afterEach(() => reset());

async function tagOf(stage: Stage, path: string, token: string): Promise<string> {
  const response = await stage.request(path, { token });
  expect(response.status).toBe(200);
  return response.headers.get('etag') ?? 'none';
}

/** A stage with one store published, which has a rental point, and a token. */
async function setUp(publishedAt = PUBLISHED_AT): Promise<{ stage: Stage; token: string }> {
  const { geo, ...store } = buildStore();
  const rentalPoints = [buildLocation('gare', 48, 7)];
  await publishStores([{ ...store, geo: { ...geo, rentalPoints } }], publishedAt);
  return { stage: openStage(), token: await issueToken() };
}

describe('an answer with stores', () => {
  it.each([LIST, STORE])('%s says how it may be kept', async (path) => {
    const { stage, token } = await setUp();
    const { headers } = await stage.request(path, { token });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('etag')).toMatch(/^"[0-9a-f]{16}-[0-9a-f]{16}"$/);
    expect(headers.get('last-modified')).toBe(new Date(PUBLISHED_AT).toUTCString());
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('vary')).toBe('x-access-token, x-api-key');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([LIST, STORE, `${LIST}?fields=id&lang=en`, `${STORE}?rentalPointSlug=gare`])(
    '%s is a 304 when the caller has it, without rendering',
    async (path) => {
      const { stage, token } = await setUp();
      const first = await stage.request(path, { token });
      const tag = first.headers.get('etag') ?? '';
      for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const headers = { 'if-none-match': condition };
        const response = await stage.request(path, { token, headers });
        expect(response.status).toBe(304);
        expect(response.body).toBeNull();
        for (const name of [
          'etag',
          'last-modified',
          'cache-control',
          'vary',
          'x-snapshot-release',
        ]) {
          expect(response.headers.get(name)).toBe(first.headers.get(name));
        }
        expect(response.headers.get('x-request-id')).toMatch(/./);
        expect(response.headers.get('content-type')).toBeNull();
        expect(response.headers.get('server-timing')).not.toContain('render');
      }
    },
  );

  it('is whole when the caller has another one', async () => {
    const { stage, token } = await setUp();
    const other = await tagOf(stage, `${LIST}?limit=1`, token);
    const headers = { 'if-none-match': `${other}, "x"` };
    expect((await stage.request(LIST, { token, headers })).status).toBe(200);
  });

  it('is not judged by date', async () => {
    const { stage, token } = await setUp();
    const headers = { 'if-modified-since': new Date(PUBLISHED_AT).toUTCString() };
    expect((await stage.request(LIST, { token, headers })).status).toBe(200);
  });

  it('answers 304 to HEAD as well', async () => {
    const { stage, token } = await setUp();
    const headers = { 'if-none-match': '*' };
    expect((await stage.request(LIST, { token, headers, method: 'HEAD' })).status).toBe(304);
  });
});

describe('a condition', () => {
  it('opens no door: tokens, parameters and stores are judged before it', async () => {
    const { stage, token } = await setUp();
    const headers = { 'if-none-match': '*' };
    expect((await stage.request(LIST, { headers })).status).toBe(401);
    expect((await stage.request(`${LIST}?limit=x`, { token, headers })).status).toBe(400);
    expect((await stage.request(`${LIST}/nobody`, { token, headers })).status).toBe(404);
    const unknownPoint = `${STORE}?rentalPointSlug=nowhere`;
    expect((await stage.request(unknownPoint, { token, headers })).status).toBe(404);
  });
});

describe('tags', () => {
  it('are equal for equal queries', async () => {
    const { stage, token } = await setUp();
    const tag = await tagOf(stage, `${LIST}?fields=id,slug&limit=5`, token);
    for (const query of [
      'limit=5&fields=slug&fields=id',
      'fields[]=id&fields[]=slug&limit=5&skip=0',
    ]) {
      expect(await tagOf(stage, `${LIST}?${query}`, token)).toBe(tag);
    }
    const byId = await tagOf(stage, LIST, token);
    for (const sort of ['id', 'id__asc,profile.name', 'id,id__desc']) {
      expect(await tagOf(stage, `${LIST}?sort=${sort}`, token)).toBe(byId);
    }
    const storeTag = await tagOf(stage, STORE, token);
    expect(await tagOf(stage, `${LIST}/${storeId(1)}`, token)).toBe(storeTag);
    expect(await tagOf(stage, `${LIST}/${storeId(1).toUpperCase()}`, token)).toBe(storeTag);
  });

  it('differ by query, store and attribution, but not by token', async () => {
    await publishStores([buildStore(1), buildStore(2)]);
    const stage = openStage();
    const token = await issueToken();
    const attributed = await issueToken({ utm: { utm_source: 'partner' } });
    const tags = [
      await tagOf(stage, LIST, token),
      await tagOf(stage, `${LIST}?lang=en`, token),
      await tagOf(stage, STORE, token),
      await tagOf(stage, `${LIST}/store-2`, token),
      await tagOf(stage, LIST, attributed),
      await tagOf(stage, STORE, attributed),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(await tagOf(stage, LIST, await issueToken())).toBe(tags[0]);
  });

  it('change with the content, not with the time of publication', async () => {
    const { token } = await setUp();
    const tag = await tagOf(openStage(), LIST, token);
    const { stage } = await setUp('2026-05-01T00:00:00.000Z');
    const again = await stage.request(LIST, { token });
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('last-modified')).toBe('Fri, 01 May 2026 00:00:00 GMT');
    await publishStores([buildStore(1), buildStore(2)]);
    expect(await tagOf(openStage(), LIST, token)).not.toBe(tag);
  });
});

describe('an answer without stores', () => {
  it.each([
    [401, LIST, {}],
    [404, '/nowhere', {}],
    [405, LIST, { method: 'POST' }],
    [503, '/healthz', {}],
  ])('of status %i is not to be kept', async (status, path, options) => {
    const response = await openStage().request(path, options);
    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
