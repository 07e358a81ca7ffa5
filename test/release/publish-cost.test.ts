/** What publications cost at Cloudflare's API: requests and writes, before the stand-in. */
import { describe, expect, it } from 'vitest';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { OTHER_WRITES } from '../../scripts/release/write-objects.ts';
import { HourlyJob } from '../support/cloudflare/hourly-job.ts';
import { openKv, openR2, openStandIn, openTarget } from '../support/cloudflare/stage.ts';
import { publishOptions, ReleaseSeries, storesFrom } from '../support/stores/compiled-stores.ts';

const STORES = 2_500;
const ALL = storesFrom(1, STORES);

const series = new ReleaseSeries();
/** The first so many stores. */
const compileFirst = (count: number) => series.compile(ALL.slice(0, count));

const standIn = await openStandIn();

describe('the estimate of a publication', () => {
  it('says what it writes, and what the last day wrote with it', async () => {
    const job = new HourlyJob(standIn);
    const first = await job.publish(await compileFirst(300));
    job.wait();
    const second = await job.publish(await compileFirst(330));
    const costs = [first.result.cost, second.result.cost];
    const writes = costs.map((cost) => cost?.writes ?? 0);
    expect(costs[0]).toMatchObject({ freeWrites: 1_000, seconds: 0, writesInDay: writes[0] });
    expect(costs[0]?.uploads.objects).toBe((writes[0] ?? 0) - OTHER_WRITES);
    expect(costs[1]?.writesInDay).toBe((writes[0] ?? 0) + (writes[1] ?? 0));
    const bytes = costs.map((cost) => cost?.uploads.bytes ?? 0);
    expect(costs[1]?.storedBytes).toBe((bytes[0] ?? 0) + (bytes[1] ?? 0));
    expect(writes).toEqual([first.pairs, second.pairs]);
  });
});

describe(`${STORES} stores in KV`, () => {
  it('take few requests and writes, at first and when one in a hundred has changed', async () => {
    const options = publishOptions();
    const first = await compileFirst(STORES);
    await publishRelease(first, openTarget(standIn, 'kv'), options);
    const { size } = standIn.snapshots.values;
    expect(size).toBeLessThanOrEqual(1_000);
    expect(standIn.apiRequests.length).toBeLessThanOrEqual(30);
    standIn.requests.length = 0;
    const changed = ALL.map((store, index) =>
      index % 100 === 0 ? { ...store, slug: `${store.slug}-new` } : store,
    );
    const next = await series.compile(changed);
    await publishRelease(next, openTarget(standIn, 'kv'), options);
    expect(standIn.apiRequests.length).toBeLessThanOrEqual(40);
  });
});

describe('100,000 stores', () => {
  it('are estimated at less than 500 requests to KV, and a request an object to R2', () => {
    const objects = 50_000;
    const bytes = objects * 28_400;
    const kv = openKv(standIn).price(objects, bytes);
    expect(kv.requests).toBeGreaterThan(50);
    expect(kv.requests).toBeLessThanOrEqual(500);
    expect(kv.seconds).toBe(0);
    const r2 = openR2(standIn).price(objects);
    expect(r2.requests).toBeLessThanOrEqual(1.2 * objects);
  });
});

describe('stores in R2', () => {
  it('take little more than a request an object, and almost none of the limited ones', async () => {
    const compiled = await compileFirst(500);
    const options = publishOptions();
    await publishRelease(compiled, openTarget(standIn, 'r2'), options);
    expect(standIn.requests.length).toBeLessThanOrEqual(1.2 * compiled.objects.size + 50);
    expect(standIn.apiRequests).toHaveLength(1);
  });
});
