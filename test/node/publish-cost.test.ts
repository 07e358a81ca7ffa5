/** What publications cost at Cloudflare's API: requests and writes, before the stand-in. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CostEstimate, estimateCost } from '../../scripts/release/estimate-cost.ts';
import type { LogEntry } from '../../scripts/release/log-entry.ts';
import type { PublicationPlan } from '../../scripts/release/plan-publication.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { openKv, openR2, openTarget, TestClock } from './cloudflare/stage.ts';
import { CloudflareStandIn } from './cloudflare/stand-in.ts';
import { compileStores, publishOptions, storesFrom } from './compiled-stores.ts';

let standIn: CloudflareStandIn;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
});

afterAll(() => standIn.stop());

afterEach(() => standIn.reset());

describe('the estimate of a publication', () => {
  it('says what it writes, and what the last day wrote with it', async () => {
    const target = openTarget(standIn, 'kv');
    const estimates: CostEstimate[] = [];
    const onPlan = async (plan: PublicationPlan, head: LogEntry | null) => {
      estimates.push(await estimateCost(target, head, plan));
    };
    const options = publishOptions({ clock: new TestClock() }, { onPlan });
    for (const to of [300, 330]) {
      await publishRelease(await compileStores(storesFrom(1, to)), target, options);
    }
    const [first, second] = estimates;
    if (!first || !second) throw new Error('nothing was estimated');
    expect(first).toMatchObject({ freeWrites: 1_000, seconds: 0, writesInDay: first.writes });
    expect(first.uploads.objects).toBe(first.writes - 3);
    expect(second.writesInDay).toBe(first.writes + second.writes);
    expect(second.storedBytes).toBe(first.uploads.bytes + second.uploads.bytes);
    const keys = standIn.snapshots.values.size;
    // The pointer is written twice.
    expect(keys).toBe(first.writes + second.writes - 1);
  });

  it('keeps close to what it comes to', async () => {
    const target = openTarget(standIn, 'kv');
    let estimate: CostEstimate | undefined;
    const onPlan = async (plan: PublicationPlan, head: LogEntry | null) => {
      estimate = await estimateCost(target, head, plan);
    };
    const options = publishOptions({ clock: new TestClock() }, { onPlan });
    await publishRelease(await compileStores(storesFrom(1, 300)), target, options);
    expect(Math.abs((estimate?.requests ?? 0) - standIn.apiRequests.length)).toBeLessThanOrEqual(5);
  });
});

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
  });
});

describe('100,000 stores', () => {
  it('are estimated at less than 500 requests to KV, and a request an object to R2', () => {
    const objects = Array.from({ length: 50_000 }, (_, index) => ({
      key: `${OBJECT_PREFIX}${String(index).padStart(32, '0')}`,
      size: 28_400,
    }));
    const kv = openKv(standIn).price(objects, objects.length);
    expect(kv.requests).toBeGreaterThan(100);
    expect(kv.requests).toBeLessThanOrEqual(500);
    expect(kv.seconds).toBe(0);
    const r2 = openR2(standIn).price(objects, objects.length);
    expect(r2.requests).toBeLessThanOrEqual(1.2 * objects.length);
  });
});

describe('stores in R2', () => {
  it('take little more than a request an object, and almost none of the limited ones', async () => {
    const compiled = await compileStores(storesFrom(1, 500));
    const options = publishOptions({ clock: new TestClock() });
    await publishRelease(compiled, openTarget(standIn, 'r2'), options);
    expect(standIn.requests.length).toBeLessThanOrEqual(1.2 * compiled.objects.size + 50);
    expect(standIn.apiRequests).toHaveLength(1);
  });
});
