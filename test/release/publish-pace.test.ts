/**
 * What publishing asks of Cloudflare, counted by the stand-in, which keeps the limit of the API in
 * simulated time: the first publication, and an hourly run with its guards after ten days of them.
 *
 * PACE_STORES sets how many stores there are and has the counts printed; PACE_HOURS sets how many
 * hours go by. Of these the first of each day and the last are compiled and published, the others filled
 * in; with PACE_ALL all of them are compiled.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { compileToFolder } from '../../scripts/build/compile-to-folder.ts';
import type { CompiledRelease } from '../../scripts/build/compiled-release.ts';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import type { GuardedPublication } from '../../scripts/guards/guarded-publication.ts';
import { readKeptReleases } from '../../scripts/release/kept-releases.ts';
import { listGenerations } from '../../scripts/release/objects.ts';
import { readLive } from '../../scripts/release/open-log.ts';
import { FilledHours, shapeOf } from '../support/cloudflare/filled-hours.ts';
import { type Expense, HourlyJob } from '../support/cloudflare/hourly-job.ts';
import { CloudflareStandIn } from '../support/cloudflare/stand-in.ts';
import { HourlyExport } from './support/hourly-exports.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;

const STORES = Number(process.env.PACE_STORES ?? 200);
const HOURS = Number(process.env.PACE_HOURS ?? 240);
const COMPILES_ALL = process.env.PACE_ALL !== undefined;
const IS_MEASURED = process.env.PACE_STORES !== undefined;

/** Milliseconds, for sizes without waiting in between. */
const PATIENCE = { timeout: 4 * 3600_000 };

/** The bars, by the number of stores that they are for. */
const BARS = [
  { upTo: 500, first: 16, hourly: 14 },
  { upTo: 2_500, first: 300, hourly: 40 },
  { upTo: 100_000, first: 500, hourly: 200 },
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

/** Prints what was counted, if asked to. */
function tell(what: string, { result: _, ...counts }: Expense<unknown>): void {
  if (IS_MEASURED) console.log(`${STORES} stores, ${what}: ${JSON.stringify(counts)}`);
}

type Run = Expense<GuardedPublication>;

/** What the runs came to that were compiled. */
interface Runs {
  /** Those that had nothing to do but to publish. */
  readonly ordinary: Run[];
  /** The first ones of a day, which collect. */
  readonly collecting: Run[];
  /** Of these, those that began a generation. */
  readonly beginning: Run[];
}

/** Lets the job run for so many hours. */
async function runHourly(job: HourlyJob) {
  job.waitUntil(12.5 * HOUR);
  const dayOf = (later = 0) => Math.floor((job.clock.now() + later) / DAY);
  const compiled = new Set([HOURS - 24, HOURS - 1, HOURS]);
  const runs: Runs = { ordinary: [], collecting: [], beginning: [] };
  let stores = HourlyExport.first(STORES);
  let release = first;
  await job.publish(release);
  const next = await compile(stores.later());
  const shape = await shapeOf(first, next);
  let filled = await FilledHours.after(first, shape, standIn);
  for (let hour = 1; hour <= HOURS; hour++) {
    const day = dayOf();
    job.wait();
    const isFirst = dayOf() > day;
    if (!COMPILES_ALL && !isFirst && !compiled.has(hour)) {
      const isNextCompiled = compiled.has(hour + 1) || dayOf(HOUR) > dayOf();
      const now = job.clock.now();
      await (isNextCompiled ? filled.fillLast(now) : filled.fill(now));
      continue;
    }
    const before = stores;
    stores = stores.later();
    release = stores.number === 1 ? next : await compile(stores);
    const { generation } = job.head();
    const run = await job.publish(release);
    const begins = job.head().generation !== generation;
    if (begins) runs.beginning.push(run);
    else if (isFirst) runs.collecting.push(run);
    else runs.ordinary.push(run);
    const kind = begins ? ', which begins a generation' : isFirst ? ', the first of a day' : '';
    tell(`publish at hour ${hour}${kind}`, run);
    if (before.number > 1) await rm(folderOf(before), { recursive: true });
    if (!COMPILES_ALL) filled = await FilledHours.after(release, shape, standIn);
  }
  return { runs, release };
}

/** The most that any of the runs asked of the API. */
const mostOf = (runs: readonly Run[]) => Math.max(0, ...runs.map(({ requests }) => requests));

describe(`after ${HOURS} hourly runs`, () => {
  it('the next one takes few requests, and little of the bytes', PATIENCE, async () => {
    const job = new HourlyJob(standIn, 'kv');
    const { runs, release } = await runHourly(job);
    const publish = runs.ordinary.at(-1) as Run;
    expect(publish.result.guards?.bases.map(({ against }) => against)).toEqual(['live', 'day']);
    expect(mostOf(runs.ordinary)).toBeLessThanOrEqual(BAR.hourly);
    const { chunkBytes, parts } = release.manifest;
    const sizes = new Map(Object.values(parts).map(({ hash, bytes }) => [hash, bytes]));
    const all = [...sizes.values()].reduce((sum, bytes) => sum + bytes, chunkBytes);
    const share = publish.result.uploaded.bytes / all;
    if (IS_MEASURED) console.log(`${STORES} stores: ${(100 * share).toFixed(1)} % of the bytes`);
    expect(share).toBeLessThanOrEqual(MOST_UPLOADED);
    // What is kept is there; what is older went with its generation.
    const target = job.open();
    const { kept, stays } = await readKeptReleases(target, await readLive(target));
    expect(kept.length).toBeGreaterThan(Math.min(180, HOURS - 24));
    const stored = await listGenerations(target.objects);
    const needed = new Set(kept.map(({ manifest }) => manifest.generation));
    expect([...needed].filter((generation) => !stored.has(generation))).toEqual([]);
    expect(stored.size).toBeLessThanOrEqual(needed.size + 2);
    const deleted = [...runs.collecting, ...runs.beginning].flatMap(
      ({ result }) => result.collected?.releases ?? [],
    );
    if (IS_MEASURED) {
      const bytes = [...stored.values()].reduce((sum, generation) => sum + generation.bytes, 0);
      console.log(
        `${STORES} stores: ${stays.length} entries, ${stored.size} generations, ${(bytes / all).toFixed(1)} times what is live, most requests ${mostOf(runs.ordinary)}, ${mostOf(runs.collecting)}, ${mostOf(runs.beginning)}`,
      );
    }
    if (HOURS >= 240) {
      expect(runs.beginning.length).toBeGreaterThan(2);
      expect(deleted.length).toBeGreaterThan(0);
    }
    expect(standIn.limit?.refused).toBe(0);
  });
});
