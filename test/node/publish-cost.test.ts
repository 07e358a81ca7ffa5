/** What publications cost at Cloudflare's API: requests and writes, before the stand-in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { openTarget, TestClock } from './cloudflare/stage.ts';
import { CloudflareStandIn } from './cloudflare/stand-in.ts';
import { compileStores, publishOptions, storesFrom } from './compiled-stores.ts';

let standIn: CloudflareStandIn;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
});

afterAll(() => standIn.stop());

const STORES = 2_500;

describe(`${STORES} stores in KV`, () => {
  it('take few requests and writes, at first and when one in a hundred has changed', async () => {
    const options = publishOptions({ clock: new TestClock() });
    const first = await compileStores(storesFrom(1, STORES));
    await publishRelease(first, openTarget(standIn, 'kv'), options);
    const { size } = standIn.snapshots.values;
    expect(size).toBeLessThanOrEqual(1_000);
    expect(standIn.apiRequests.length).toBeLessThanOrEqual(30);
    // What eight days of hourly runs leave there.
    for (let index = 0; index < 9_000; index++) {
      standIn.snapshots.set(`${OBJECT_PREFIX}${String(index).padStart(32, '0')}`, '');
    }
    standIn.requests.length = 0;
    const changed = storesFrom(1, STORES).map((store, index) =>
      index % 100 === 0 ? { ...store, slug: `${store.slug}-new` } : store,
    );
    const next = await compileStores(changed);
    await publishRelease(next, openTarget(standIn, 'kv'), options);
    expect(standIn.apiRequests.length).toBeLessThanOrEqual(40);
    console.log(`${standIn.apiRequests.length} API requests, ${size} keys at first`);
  });
});
