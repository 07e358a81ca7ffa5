/**
 * What an hourly job asks of Cloudflare after ten days, counted by the stand-in. PACE_STORES sets how many stores there are.
 */
import { describe, expect, it } from 'vitest';
import { totalBytes } from '../../scripts/build/measure-release.ts';
import { listGenerations } from '../../scripts/release/objects.ts';
import { readLog } from '../../scripts/release/open-log.ts';
import { publishRelease } from '../../scripts/release/publish-release.ts';
import { HourlyJob } from '../support/cloudflare/hourly-job.ts';
import { openStandIn } from '../support/cloudflare/stage.ts';
import { publishOptions, ReleaseSeries, storesFrom } from '../support/stores/compiled-stores.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const STORES = Number(process.env.PACE_STORES ?? 100);
const HOURS = 240;

/** The bars, by the number of stores that they are for. */
const BARS = [
  { upTo: 500, requests: 14, uploaded: 0.25 },
  { upTo: 2_500, requests: 40, uploaded: 0.08 },
  { upTo: 100_000, requests: 200, uploaded: 0.08 },
];

const standIn = await openStandIn();

/** Exports of one directory, hour after hour: a hundredth of the stores is renamed, goes or comes. */
function* hourlyExports() {
  const stores = storesFrom(1, STORES);
  const count = Math.ceil(STORES / 300);
  for (let next = STORES + 1; ; ) {
    yield [...stores];
    for (const [index, store] of stores.slice(0, count).entries()) {
      const name = `${store.profile.name} ${next}`;
      stores[index] = { ...store, profile: { ...store.profile, name } };
    }
    stores.splice(count, count);
    for (const end = next + count; next < end; next++) stores.push(buildStore(next));
    // Those renamed are others each time.
    stores.push(...stores.splice(0, count));
  }
}

describe(`after ${HOURS} hourly runs`, () => {
  it('the next one takes few requests and little of the bytes', { timeout: 3600_000 }, async () => {
    const job = new HourlyJob(standIn);
    job.waitUntil(12.5 * 3600_000);
    const series = new ReleaseSeries();
    const ordinary = [];
    const deleted = [];
    const generations = new Set<string>();
    let bytes = 0;
    let hour = 0;
    for (const stores of hourlyExports()) {
      const release = await series.compile(stores);
      const isFirstOfDay = new Date(job.clock.now()).getUTCHours() === 0;
      if (isFirstOfDay || hour >= HOURS - 1) {
        const run = await job.publish(release);
        deleted.push(...(run.result.collected?.releases ?? []));
        if (!isFirstOfDay) ordinary.push(run);
      } else {
        // What guards read is not counted here.
        await publishRelease(release, job.open(), publishOptions());
      }
      generations.add(job.head().generation);
      bytes = totalBytes(release.manifest);
      if (hour++ === HOURS) break;
      job.wait();
    }
    const { result } = ordinary.at(-1) ?? {};
    const bar = BARS.find(({ upTo }) => STORES <= upTo);
    const requests = Math.max(...ordinary.map((run) => run.requests));
    console.log(
      `${STORES} stores: ${requests} requests, ${result?.uploaded.bytes} of ${bytes} bytes`,
    );
    expect(requests).toBeLessThanOrEqual(bar?.requests ?? 0);
    expect((result?.uploaded.bytes ?? bytes) / bytes).toBeLessThanOrEqual(bar?.uploaded ?? 0);
    // What is kept is there; what is older went with its generation.
    const target = job.open();
    const { kept } = await (await readLog(target)).rule();
    expect(kept.length).toBeGreaterThan(180);
    const stored = await listGenerations(target.objects);
    const needed = new Set(kept.map(({ manifest }) => manifest.generation));
    expect([...needed].filter((generation) => !stored.has(generation))).toEqual([]);
    expect(stored.size).toBeLessThanOrEqual(needed.size + 2);
    expect(generations.size).toBeGreaterThan(2);
    expect(deleted.length).toBeGreaterThan(0);
  });
});
