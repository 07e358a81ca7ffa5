/**
 * What publishing asks of Cloudflare, counted by the stand-in with the limit of its API in simulated
 * time. PACE_STORES sets how many stores there are.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
import { compileToFolder } from '../../scripts/release/compile-to-folder.ts';
import type { CompiledRelease } from '../../scripts/release/compiled-release.ts';
import { openSnapshotFolder } from '../../scripts/release/snapshot-folder.ts';
import { type Expense, HourlyJob } from './cloudflare/hourly-job.ts';
import { CloudflareStandIn } from './cloudflare/stand-in.ts';
import { HourlyExport } from './hourly-exports.ts';

const STORES = Number(process.env.PACE_STORES ?? 200);
const HOURS = Number(process.env.PACE_HOURS ?? 26);
const MEASURES = process.env.PACE_STORES !== undefined;
const { signal } = new AbortController();

let standIn: CloudflareStandIn;
let folder: string;

beforeAll(async () => {
  standIn = await CloudflareStandIn.start();
  folder = await mkdtemp(join(tmpdir(), 'publish-pace-'));
});

afterEach(() => standIn.reset());

afterAll(async () => {
  await standIn.stop();
  await rm(folder, { recursive: true, force: true });
});

async function compile(stores: HourlyExport): Promise<CompiledRelease> {
  async function* each() {
    yield* stores.stores();
  }
  const work = join(folder, String(stores.hour));
  const built = await compileToFolder(each(), work, { progress: SILENT_PROGRESS, signal });
  return openSnapshotFolder(built.folder);
}

/** Prints what was counted where somebody asked for it by its size. */
function tell(what: string, { api, s3, requests, written, waited }: Expense<unknown>): void {
  if (!MEASURES) return;
  console.log(`${STORES} stores, ${what}:`, { requests, api, s3, written, waited });
}

it('hourly', { timeout: 3600_000 }, async () => {
  const job = new HourlyJob(standIn, 'kv');
  let stores = HourlyExport.first(STORES);
  for (let hour = 0; hour <= HOURS; hour++) {
    const compiled = await compile(stores);
    const publication = await job.publish(compiled);
    const prune = await job.prune();
    if (hour === 0 || hour % 24 === 0 || hour === HOURS) {
      tell(`publish at ${hour}`, publication);
      tell(`prune at ${hour}`, prune);
    }
    await rm(join(folder, String(hour)), { recursive: true });
    stores = stores.later();
    job.wait();
  }
  expect(1).toBe(1);
});
