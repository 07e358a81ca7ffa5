/**
 * What publications ask of Cloudflare's API, counted by the stand-in: the first ones, and one of an hourly job
 * after ten days. PACE_STORES sets how many stores that has.
 */
import { expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { type CompiledRelease, totalBytes } from '../../scripts/build/release-reader.ts';
import { readEntries, readHead } from '../../scripts/release/log.ts';
import { judgeLog } from '../../scripts/release/log-entry.ts';
import { listGenerations } from '../../scripts/release/objects.ts';
import { cutIntoBatches, READ_LIMITS, WRITE_LIMITS } from '../../scripts/storage/cloudflare-kv.ts';
import { objectKey } from '../../src/snapshot/keys.ts';
import { openKv, openStandIn, openTarget, TestClock } from '../support/cloudflare/stage.ts';
import { MemoryTarget } from '../support/memory-target.ts';
import { publishAsJob } from '../support/publish-as-job.ts';
import { publishRelease, ReleaseSeries, storesFrom } from '../support/stores/compiled-stores.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';

const HOUR = 3600_000;
const STORES = Number(process.env.PACE_STORES ?? 100);
const HOURS = 240;

/** The bars, by the number of stores that they are for. */
const BARS = [
  { upTo: 500, requests: 14, uploaded: 0.25 },
  { upTo: 2_500, requests: 40, uploaded: 0.08 },
  { upTo: 100_000, requests: 200, uploaded: 0.08 },
];

const standIn = await openStandIn();

/** The example job before the stand-in, in simulated time. */
function openJob() {
  const clock = new TestClock();
  standIn.now = () => clock.now();
  standIn.bucket.now = standIn.now;
  /** As each command opens it: nothing is known of the run before. */
  const open = () => openTarget(standIn, 'kv', { clock });
  /** `snapshot publish --remote`, with its guards on, and what it asked for. */
  async function publish(compiled: CompiledRelease) {
    standIn.requests.length = 0;
    const before = standIn.snapshots.writtenPairs;
    const result = await publishAsJob(compiled, open());
    const pairs = standIn.snapshots.writtenPairs - before;
    return { result, requests: standIn.apiRequests.length, pairs };
  }
  return { clock, open, publish };
}

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

/** Puts what lies in memory into the stand-in. */
async function upload({ values, ledgerValues }: MemoryTarget): Promise<void> {
  const uploads = Array.from(values, ([key, { length }]) => ({ key, bytes: length }));
  await openKv(standIn).putAll(uploads, async (some) =>
    some.map(({ key }) => values.get(key) as Uint8Array),
  );
  for (const [key, { bytes, storedAt }] of ledgerValues) {
    standIn.bucket.stored.set(key, { bytes: Buffer.from(bytes), storedAt });
  }
}

it(`after ${HOURS} hourly runs the next one takes few requests and little of the bytes`, {
  timeout: 3600_000,
}, async () => {
  // All but the last are not counted, and ask nothing of Cloudflare.
  const memory = Object.assign(new MemoryTarget(), { site: openTarget(standIn, 'kv').site });
  const job = openJob();
  // Half an hour after noon of the next day.
  job.clock.pass(36.5 * HOUR - (job.clock.now() % (24 * HOUR)));
  const series = new ReleaseSeries();
  const ordinary = [];
  const deleted = [];
  const generations = new Set<string>();
  let bytes = 0;
  let hour = 0;
  for (const stores of hourlyExports()) {
    const release = await series.compile(stores);
    memory.time = job.clock.now();
    if (hour === HOURS - 1) await upload(memory);
    if (hour >= HOURS - 1) {
      ordinary.push(await job.publish(release));
    } else if (new Date(memory.time).getUTCHours() === 0) {
      const { collected } = await publishAsJob(release, memory);
      deleted.push(...(collected?.releases ?? []));
    } else {
      await publishRelease(release, memory);
    }
    generations.add(memory.pointer?.manifest.generation ?? '');
    bytes = totalBytes(release.manifest);
    if (hour++ === HOURS) break;
    job.clock.pass(HOUR);
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
  const { kept } = judgeLog(await readEntries(target, await readHead(target.ledger)));
  expect(kept.length).toBeGreaterThan(180);
  const stored = await listGenerations(target.objects);
  const needed = new Set(kept.map(({ manifest }) => manifest.generation));
  expect([...needed].filter((generation) => !stored.has(generation))).toEqual([]);
  expect(stored.size).toBeLessThanOrEqual(needed.size + 2);
  expect(generations.size).toBeGreaterThan(2);
  expect(deleted.length).toBeGreaterThan(0);
});

const ALL = [...generateStores(2_508, { seed: 11, languages: null })];
const MANY = ALL.slice(0, 2_500);
const series = new ReleaseSeries();

it('the estimate of a publication says what it writes', async () => {
  const job = openJob();
  const first = await job.publish(await series.compile(MANY.slice(0, 300)));
  job.clock.pass(HOUR);
  const second = await job.publish(await series.compile(MANY.slice(0, 330)));
  const costs = [first.result.cost, second.result.cost];
  const writes = costs.map((cost) => cost?.writes ?? 0);
  expect(costs[0]).toMatchObject({ freeWrites: 1_000 });
  expect(costs[0]?.bytes).toBe(first.result.uploaded.bytes);
  expect(writes).toEqual([first.pairs, second.pairs]);
});

it('2,500 stores in KV take few requests and writes, at first and when one in a hundred was edited, added or removed', async () => {
  const first = await series.compile(MANY);
  await publishRelease(first, openTarget(standIn, 'kv'));
  const { size } = standIn.snapshots.values;
  expect(size).toBeLessThanOrEqual(1_000);
  expect(standIn.apiRequests.length).toBeLessThanOrEqual(30);
  standIn.requests.length = 0;
  // All over the export, as many added as removed: ids are random.
  const changed = ALL.flatMap((store, number) => {
    if (number % 300 === 137) return [];
    const profile = { ...store.profile, name: `${store.profile.name} (new)` };
    return number % 300 === 37 ? [{ ...store, profile }] : [store];
  });
  const next = await series.compile(changed);
  const { uploaded } = await publishRelease(next, openTarget(standIn, 'kv'));
  expect(standIn.apiRequests.length).toBeLessThanOrEqual(40);
  expect(uploaded.bytes / totalBytes(next.manifest)).toBeLessThanOrEqual(0.08);
});

it('objects of 100,000 stores are written to KV, and some read back, in less than 450 requests', () => {
  const key = objectKey(GENERATION, '0'.repeat(32));
  const uploads = Array.from({ length: 50_000 }, () => ({ key, bytes: 28_400 }));
  const requests =
    cutIntoBatches(uploads, WRITE_LIMITS).length +
    cutIntoBatches(uploads.slice(-200), READ_LIMITS).length;
  expect(requests).toBeGreaterThan(50);
  expect(requests).toBeLessThanOrEqual(450);
});

it('stores in R2 take little more than a request an object, and almost none of the limited ones', async () => {
  const compiled = await series.compile(MANY.slice(0, 300));
  await publishRelease(compiled, openTarget(standIn, 'r2'));
  expect(standIn.requests.length).toBeLessThanOrEqual(1.2 * compiled.objects.size + 50);
  expect(standIn.apiRequests).toHaveLength(1);
});
