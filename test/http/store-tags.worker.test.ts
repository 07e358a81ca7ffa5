/** The tag of a single store: the same from release to release until the store changes. */

import { reset } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { releaseName } from '../../src/snapshot/keys.ts';
import { buildLocation, buildStore, storeId } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores, type Stage } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const BY_SLUG = `${LIST}/store-1`;
const BY_ID = `${LIST}/${storeId(1)}`;

const { geo, ...rest } = buildStore(1);
const POINTS = [buildLocation('gare', 48, 7), buildLocation('port', 48.1, 7.1)];
const STORE = { ...rest, geo: { ...geo, rentalPoints: POINTS } };

let stage: Stage;
let token: string;

beforeEach(async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  token = await issueToken();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

/** Publishes, and begins anew with an isolate that knows nothing. */
async function publish(...stores: Parameters<typeof publishStores>[0][]): Promise<string> {
  const { release } = await publishStores(stores.flatMap((each) => [...each]));
  stage = openStage();
  return release;
}

async function tagOf(path: string, by = token): Promise<string> {
  const response = await stage.request(path, { token: by });
  expect(response.status).toBe(200);
  return response.headers.get('etag') ?? 'none';
}

describe('the tag of a store', () => {
  it('stays while other stores come, change and go', async () => {
    const releases = [await publish([STORE])];
    const tag = await tagOf(BY_SLUG);
    for (const others of [
      [buildStore(2), buildStore(3)],
      [buildStore(2, { pageUrl: 'https://stores.example/elsewhere' })],
      [],
    ]) {
      releases.push(await publish([STORE], others));
      expect(await tagOf(BY_SLUG)).toBe(tag);
      const headers = { 'if-none-match': tag };
      const response = await stage.request(BY_ID, { token, headers });
      expect(response.status).toBe(304);
      expect(response.headers.get('x-snapshot-release')).toBe(
        releaseName(releases.length, releases.at(-1) ?? ''),
      );
    }
    expect(new Set(releases).size).toBe(3);
  });

  it('is the same by id, in any case, and by slug', async () => {
    await publish([STORE]);
    const tag = await tagOf(BY_SLUG);
    expect(await tagOf(BY_ID)).toBe(tag);
    expect(await tagOf(`${LIST}/${storeId(1).toUpperCase()}`)).toBe(tag);
  });

  it('differs by language, fields, rental point and attribution', async () => {
    await publish([STORE]);
    const tags = [
      await tagOf(BY_SLUG),
      await tagOf(`${BY_SLUG}?lang=en`),
      await tagOf(`${BY_SLUG}?lang=fr`),
      await tagOf(`${BY_SLUG}?fields=id`),
      await tagOf(`${BY_SLUG}?fields=id,slug`),
      await tagOf(`${BY_SLUG}?rentalPointSlug=gare`),
      await tagOf(`${BY_SLUG}?rentalPointSlug=port`),
      await tagOf(BY_SLUG, await issueToken({ utm: { utm_source: 'partner' } })),
      await tagOf(BY_SLUG, await issueToken({ utm: { utm_medium: 'partner' } })),
    ];
    expect(new Set(tags).size).toBe(tags.length);
  });

  it.each<[string, object]>([
    ['its name', { profile: { ...STORE.profile, name: 'Other' } }],
    [
      'a text in another language',
      { profile: { ...STORE.profile, description: { fr: 'Magasin 1', en: 'New' } } },
    ],
    ['its slug', { slug: 'renamed' }],
    ['a rental point', { geo: { ...geo, rentalPoints: POINTS.slice(1) } }],
    ['whether it shows its address', { geo: { ...STORE.geo, displayAddress: false } }],
    ['a number', { pricing: { ...STORE.pricing, showPricingTable: false } }],
  ])('changes with %s', async (_, changes) => {
    await publish([STORE]);
    const tag = await tagOf(BY_ID);
    await publish([{ ...STORE, ...changes }]);
    expect(await tagOf(BY_ID)).not.toBe(tag);
    await publish([STORE]);
    expect(await tagOf(BY_ID)).toBe(tag);
  });

  it('differs from that of a store that is like it', async () => {
    await publish([buildStore(1), { ...buildStore(1), id: storeId(2), slug: 'store-2' }]);
    expect(await tagOf(`${LIST}/store-2`)).not.toBe(await tagOf(BY_SLUG));
  });

  it('is not that of a list with the store alone', async () => {
    await publish([STORE]);
    expect(await tagOf(`${LIST}?limit=1`)).not.toBe(await tagOf(BY_SLUG));
  });
});
