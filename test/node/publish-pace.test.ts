/**
 * What publishing asks of Cloudflare, counted by the stand-in, which keeps the limit of the API in
 * simulated time: the first publication, and an hourly run with its guards after eight days of them.
 *
 * PACE_STORES sets how many stores there are and has the counts printed; PACE_HOURS sets how many
 * hours go by. Of these hours four are compiled and published, the others filled in; with PACE_ALL
 * all of them are compiled.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { compileToFolder } from '../../scripts/release/compile-to-folder.ts';
import type { CompiledRelease } from '../../scripts/release/compiled-release.ts';
import { OTHER_WRITES } from '../../scripts/release/estimate-cost.ts';
import { LEAST_KEPT } from '../../scripts/release/kept-releases.ts';
import { listCompiled } from '../../scripts/release/plan-publication.ts';
import { openSnapshotFolder } from '../../scripts/release/snapshot-folder.ts';
import { FilledHours, shapeOf } from './cloudflare/filled-hours.ts';
import { type Expense, HourlyJob } from './cloudflare/hourly-job.ts';
import { CloudflareStandIn } from './cloudflare/stand-in.ts';
import { HourlyExport } from './hourly-exports.ts';

const STORES = Number(process.env.PACE_STORES ?? 200);
const HOURS = Number(process.env.PACE_HOURS ?? 192);
const COMPILES_ALL = process.env.PACE_ALL !== undefined;
const IS_MEASURED = process.env.PACE_STORES !== undefined;

/** Milliseconds, for sizes that nobody waits for in between. */
const PATIENCE = { timeout: 4 * 3600_000 };

/** The bars, by the number of stores that they are for. */
const BARS = [
  { upTo: 500, first: 16, hourly: 22 },
  { upTo: 2_500, first: 300, hourly: 40 },
  { upTo: 100_000, first: 500, hourly: 600 },
];
const BAR = BARS.find(({ upTo }) => STORES <= upTo) ?? { first: Infinity, hourly: Infinity };

/** Of the bytes of a release, when one store in a hundred has changed: the bar is for large ones. */
const MOST_UPLOADED = STORES < 2_500 ? 0.25 : 0.08;

let standIn: CloudflareStandIn;
let folder: string;
let first: CompiledRelease;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
  folder = await mkdtemp(join(tmpdir(), 'publish-pace-'));
  first = await compile(HourlyExport.first(STORES));
}, PATIENCE.timeout);

afterEach(() => standIn.reset());

afterAll(async () => {
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
});

async function compile(stores: HourlyExport): Promise<CompiledRelease> {
  async function* each() {
    yield* stores.stores();
  }
  const { signal } = new AbortController();
  const watch = { progress: SILENT_PROGRESS, signal };
  return openSnapshotFolder((await compileToFolder(each(), folderOf(stores), watch)).folder);
}

const folderOf = ({ number }: HourlyExport) => join(folder, String(number));

/** Prints what was counted where somebody asked for it. */
function tell(what: string, { result: _, ...counts }: Expense<unknown>): void {
  if (IS_MEASURED) console.log(`${STORES} stores, ${what}: ${JSON.stringify(counts)}`);
}

describe('a first publication', () => {
  it('takes few requests to KV', PATIENCE, async () => {
    const expense = await new HourlyJob(standIn, 'kv').publish(first);
    tell('first publication to KV', expense);
    expect(expense.requests).toBeLessThanOrEqual(BAR.first);
    // A connection that this machine let grow old is tried again at once: no limit is waited out.
    expect(expense.waited).toBeLessThan(60);
    expect(expense.written.pairs).toBe((await listCompiled(first)).length + OTHER_WRITES);
    if (STORES <= 2_500) expect(expense.written.pairs).toBeLessThanOrEqual(1_000);
  });

  it('takes little more than a request an object to R2, and one of the API', PATIENCE, async () => {
    const expense = await new HourlyJob(standIn, 'r2').publish(first);
    tell('first publication to R2', expense);
    const { length } = await listCompiled(first);
    const requests = Object.values(expense.s3).reduce((sum, count) => sum + count, 0);
    // What every publication asks for counts more where there are few objects.
    expect(requests).toBeLessThanOrEqual(1.2 * length + (STORES < 2_500 ? 50 : 0));
    expect(expense.api).toEqual({ 'id of the token': 1 });
  });
});

/** Lets the job run for so many hours, and returns what the last run came to. */
async function runHourly(job: HourlyJob) {
  const compiled = new Set([0, HOURS - 24, HOURS - 1, HOURS]);
  let stores = HourlyExport.first(STORES);
  let release = first;
  let expense = { publish: await job.publish(release), prune: await job.prune() };
  const next = await compile(stores.later());
  const shape = await shapeOf(first, next);
  let filled = await FilledHours.after(first, shape, standIn);
  for (let hour = 1; hour <= HOURS; hour++) {
    job.wait();
    if (!COMPILES_ALL && !compiled.has(hour)) {
      const now = job.clock.now();
      await (compiled.has(hour + 1) ? filled.fillLast(now) : filled.fill(now));
      continue;
    }
    const before = stores;
    stores = stores.later();
    release = stores.number === 1 ? next : await compile(stores);
    expense = { publish: await job.publish(release), prune: await job.prune() };
    if (before.number > 1) await rm(folderOf(before), { recursive: true });
    if (!COMPILES_ALL) filled = await FilledHours.after(release, shape, standIn);
    if (hour % 24 === 0) tell(`publish at hour ${hour}`, expense.publish);
  }
  return { ...expense, release };
}

describe(`after ${HOURS} hourly runs`, () => {
  it('the next one takes few requests, and little of the bytes', PATIENCE, async () => {
    const job = new HourlyJob(standIn, 'kv');
    const { publish, prune, release } = await runHourly(job);
    tell(`publish at hour ${HOURS}`, publish);
    tell(`prune at hour ${HOURS}`, prune);
    expect(publish.result.guards?.bases.map(({ against }) => against)).toEqual(['live', 'day']);
    expect(publish.requests).toBeLessThanOrEqual(BAR.hourly);
    expect(prune.requests).toBeLessThanOrEqual(BAR.hourly);
    const { chunkBytes, parts } = release.manifest;
    const sizes = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
    const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, chunkBytes);
    const share = publish.result.uploaded.bytes / all;
    if (IS_MEASURED) console.log(`${STORES} stores: ${(100 * share).toFixed(1)} % of the bytes`);
    expect(share).toBeLessThanOrEqual(MOST_UPLOADED);
    expect(prune.result.kept.length).toBeGreaterThanOrEqual(Math.max(LEAST_KEPT, HOURS));
    expect(standIn.limit?.refused).toBe(0);
  });
});
