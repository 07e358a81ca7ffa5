/** Headers by which answers are kept and asked for again. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { zoneChanges } from '../../scripts/compile/index-parts.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import type { Utm } from '../../src/auth/token-record.ts';
import { hasAnswer } from '../../src/http/answer.ts';
import { releaseName } from '../../src/snapshot/keys.ts';
import { PUBLISHED_AT } from '../support/stores/memory-snapshot.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { storage } from '../support/worker/bound-storage.ts';
import { issueToken, LIST, openService, type RequestOptions } from '../support/worker/harness.ts';

const BY_SLUG = `${LIST}/store-1`;
const BY_ID = `${LIST}/${storeId(1)}`;

const FORGED = 'gare&lang=fr';
const POINTS = ['gare', 'port', FORGED].map((slug) => buildLocation(slug, 48, 7));
const NEAR = 'position.latitude=1&position.longitude=2&position.radius=3';
const STORE = buildStore(1, { 'geo.rentalPoints': POINTS });

let service: Awaited<ReturnType<typeof openService>>;

afterEach(() => storage.reset());

/** Publishes, and begins anew with an isolate that knows nothing. */
async function publish(stores: readonly SourceStore[], publishedAt?: string) {
  service = await openService(stores, publishedAt);
  return service.release;
}

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.ask(path, { headers, method });

async function tagOf(path: string, options: RequestOptions = {}): Promise<string> {
  const { status, headers } = await service.ask(path, options);
  expect(status).toBe(200);
  return headers.get('etag') ?? 'none';
}

describe('an answer with stores', () => {
  beforeEach(() => publish([STORE]));

  it.each([LIST, BY_SLUG, `${LIST}?fields=id&lang=en`, `${BY_SLUG}?rentalPointSlug=gare`])(
    '%s says how it may be kept, and is a 304 when the caller has it, without rendering',
    async (path) => {
      const first = await ask(path);
      expect(Object.fromEntries(first.headers)).toMatchObject({
        'content-type': 'application/json',
        etag: expect.stringMatching(/^"[0-9a-f]{16}-[0-9a-f]{16}"$/),
        'last-modified': new Date(PUBLISHED_AT).toUTCString(),
        'cache-control': 'private, no-cache',
        vary: 'x-access-token, x-api-key',
      });
      const tag = first.headers.get('etag') ?? '';
      for (const condition of [`"x", W/${tag}`, '*']) {
        const response = await ask(path, { 'if-none-match': condition });
        expect(response.status).toBe(304);
        expect(response.body).toBeNull();
        const kept = ['etag', 'last-modified', 'cache-control', 'vary', 'x-snapshot-release'];
        for (const name of kept) {
          expect(response.headers.get(name)).toBe(first.headers.get(name));
        }
        expect(response.headers.get('content-type')).toBeNull();
        expect(response.headers.get('server-timing')).not.toContain('render');
        expect((await ask(path, { 'if-none-match': condition }, 'HEAD')).status).toBe(304);
      }
    },
  );

  it('is whole when the caller has another one, and is not judged by date', async () => {
    const condition = `${await tagOf(`${LIST}?limit=1`)}, "x"`;
    expect((await ask(LIST, { 'if-none-match': condition })).status).toBe(200);
    const date = new Date(PUBLISHED_AT).toUTCString();
    expect((await ask(LIST, { 'if-modified-since': date })).status).toBe(200);
  });

  it('comes after all other judgements: a condition opens no door', async () => {
    const headers = { 'if-none-match': '*' };
    expect((await service.stage.request(LIST, { headers })).status).toBe(401);
    expect((await ask(`${LIST}?limit=x`, headers)).status).toBe(400);
    expect((await ask(`${LIST}/nobody`, headers)).status).toBe(404);
    expect((await ask(`${BY_SLUG}?rentalPointSlug=nowhere`, headers)).status).toBe(404);
  });
});

it.each([
  ...[' * ', 'W/"a"', '"b", "a"', '"b,"  ,  "a"'].map((named) => [named, true] as const),
  ...['"b"', 'a', '"*"', '"b", *', '"a', ''].map((named) => [named, false] as const),
])('If-None-Match %s names "a": %s', (named, expected) => {
  expect(hasAnswer(new Headers({ 'if-none-match': named }), '"a"')).toBe(expected);
});

describe('tags', () => {
  it('differ by query, store and attribution, and by nothing else', async () => {
    await publish([STORE, { ...STORE, id: storeId(2), slug: 'store-2' }]);
    const forUtm = async (path: string, utm: Utm) =>
      tagOf(path, { token: await issueToken({ utm }) });
    const both = { utm_source: 'a', utm_medium: 'b' };
    const lists = [
      ...['', 'skip=1', 'limit=1', 'lang=fr', 'lang=en', 'fields=id', 'fields=id,slug'],
      ...['fields=profile', 'fields=profile.name', 'sort=name', 'sort=name__desc', 'sort=id__desc'],
      ...['sort=name,externalRating', 'sort=externalRating,name', NEAR, `${NEAR}&sort=id`],
    ].map((query) => `${LIST}?${query}`);
    const forged = encodeURIComponent(FORGED);
    const stores = [
      ...['', 'lang=en', 'lang=fr', 'fields=id', 'fields=id,slug', 'rentalPointSlug=port'],
      ...['rentalPointSlug=gare', 'rentalPointSlug=gare&lang=fr', `rentalPointSlug=${forged}`],
    ].map((query) => `${BY_SLUG}?${query}`);
    const tags = [
      ...(await Promise.all(lists.map((path) => tagOf(path)))),
      ...(await Promise.all(stores.map((path) => tagOf(path)))),
      await tagOf(`${LIST}/store-2`),
      await forUtm(BY_SLUG, both),
      await forUtm(LIST, both),
      await forUtm(LIST, { utm_source: 'a' }),
      await forUtm(LIST, { utm_medium: 'a' }),
      await forUtm(LIST, { utm_source: 'a","b' }),
    ];
    expect(new Set(tags).size).toBe(tags.length);
    expect(await forUtm(LIST, {})).toBe(tags[0]);
    expect(tags).toContain(await forUtm(LIST, { utm_medium: 'b', utm_source: 'a' }));
    expect(await tagOf(`${LIST}?limit=100&sort=id`)).toBe(tags[0]);
    const same = ['fields=id,slug&lang=fr', 'lang=fr&fields[]=slug&fields=id'];
    const [one, other] = await Promise.all(same.map((query) => tagOf(`${BY_SLUG}?${query}`)));
    expect(other).toBe(one);
    const storeTag = await tagOf(BY_SLUG);
    for (const path of [BY_ID, `${LIST}/${storeId(1).toUpperCase()}`]) {
      expect(await tagOf(path)).toBe(storeTag);
    }
  });

  it('change with the content, not with the time of publication', async () => {
    await publish([STORE]);
    const tag = await tagOf(LIST);
    await publish([STORE], '2026-05-01T00:00:00.000Z');
    const again = await ask(LIST);
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('last-modified')).toBe('Fri, 01 May 2026 00:00:00 GMT');
    await publish([STORE, buildStore(2)]);
    expect(await tagOf(LIST)).not.toBe(tag);
  });

  it('of a store stay while other stores come, change and go, and change with the store', async () => {
    const releases = [await publish([STORE])];
    const tag = await tagOf(BY_SLUG);
    for (const others of [
      [buildStore(2), buildStore(3)],
      [buildStore(2, { pageUrl: 'https://stores.example/elsewhere' })],
      [],
    ]) {
      releases.push(await publish([STORE, ...others]));
      const response = await ask(BY_ID, { 'if-none-match': tag });
      expect(response.status).toBe(304);
      expect(response.headers.get('x-snapshot-release')).toBe(
        releaseName(releases.length, releases.at(-1) ?? ''),
      );
    }
    expect(new Set(releases).size).toBe(3);
    await publish([{ ...STORE, slug: 'renamed' }]);
    expect(await tagOf(BY_ID)).not.toBe(tag);
  });

  it('of a store with at stay until the store, the instant or the clocks of its zone change', async () => {
    const at = `${BY_SLUG}?at=2026-07-01T08:30Z`;
    const elsewhere = buildStore(2, { 'temporal.timezone': 'Asia/Tokyo' });
    await publish([STORE]);
    const tag = await tagOf(at);
    expect(tag).toMatch(/^"[0-9a-f]{24}-[0-9a-f]{16}"$/);
    expect(await tagOf(`${BY_ID}?at=2026-07-01T10:30:00.0009%2B02:00`)).toBe(tag);
    expect(await tagOf(`${BY_SLUG}?at=2026-07-01T08:30:00.001Z`)).not.toBe(tag);
    expect(await tagOf(`${at}&fields=opening`)).not.toBe(tag);
    expect(tag.slice(1)).not.toContain((await tagOf(BY_SLUG)).slice(1));
    await publish([STORE, elsewhere]);
    expect((await ask(at, { 'if-none-match': tag })).status).toBe(304);
    // A government decides on one more change.
    const changeZone = (timezone: string) => {
      const known = zoneChanges(timezone) as number[];
      known.push(Date.parse('2099-01-01T00:00Z'), 0);
      return () => known.splice(-2);
    };
    for (const [timezone, expected] of [
      ['Asia/Tokyo', 304],
      [STORE.temporal.timezone, 200],
    ] as const) {
      const undo = changeZone(timezone);
      await publish([STORE, elsewhere]);
      expect((await ask(at, { 'if-none-match': tag })).status, timezone).toBe(expected);
      expect((await ask(BY_SLUG, { 'if-none-match': await tagOf(BY_SLUG) })).status).toBe(304);
      undo();
    }
  });
});
