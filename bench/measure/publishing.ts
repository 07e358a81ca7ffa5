/** What it takes to build and to publish, with the commands that data teams use. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeStores } from '../../fixtures/generator/ndjson-file.ts';
import { openPlatform } from '../../scripts/cli/platform.ts';
import { LocalKv } from '../../scripts/storage/local-kv.ts';
import { CACHE_FOLDER, EXPORTS, LARGE, SMALL, snapshotCommand } from '../data/stores.ts';
import { count, percent, seconds } from '../report/format.ts';
import type { Run } from './run.ts';

/** Seconds that a build may take. */
const BUILD: Readonly<Record<number, number>> = { [SMALL]: 3, [LARGE]: 90 };
const WRITES = 1_000;
const CHANGED_SHARE = 0.08;

export async function measurePublishing(run: Run): Promise<void> {
  const { storeCount, where, findings, scene } = run;
  const source = join(scene.data.sourceFolder, 'stores.ndjson');
  // One for each run: two at a time do not disturb each other.
  const folder = join(CACHE_FOLDER, 'publishing', String(process.pid));
  await mkdir(folder, { recursive: true });
  const [changed, before, after] = ['changed.ndjson', 'before', 'after'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  try {
    const start = performance.now();
    await snapshotCommand('build', '--source', source, '--out', before);
    const took = (performance.now() - start) / 1000;
    findings.atMost(`build of ${where}`, seconds, '', took, BUILD[storeCount] ?? Infinity);
    if (storeCount === SMALL) {
      const writes = await countWrites(before, join(folder, 'state'));
      findings.atMost(`first publication of ${where}: KV writes`, count, '', writes, WRITES);
    }
    await writeStores(EXPORTS.later(storeCount), changed);
    await snapshotCommand('build', '--source', changed, '--out', after);
    const share = await shareOfNew(join(before, 'objects'), join(after, 'objects'));
    const what = 'share of the bytes that go up after 1 % of stores changed';
    findings.atMost(what, percent, where, share, CHANGED_SHARE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Publishes to local storage that is empty, and counts the values that KV holds then. */
async function countWrites(snapshot: string, state: string): Promise<number> {
  process.env.STORE_DIRECTORY_STATE = state;
  await snapshotCommand('publish', '--snapshot', snapshot);
  const { env, dispose } = await openPlatform('development');
  const values = await Array.fromAsync(new LocalKv(env.SNAPSHOTS).list(''));
  await dispose();
  delete process.env.STORE_DIRECTORY_STATE;
  return values.length;
}

/** Bytes of the objects in `after` that `before` lacks, as a share of all in `after`. */
async function shareOfNew(before: string, after: string): Promise<number> {
  const known = new Set(await readdir(before));
  let all = 0;
  let fresh = 0;
  for (const name of await readdir(after)) {
    const { size } = await stat(join(after, name));
    all += size;
    if (!known.has(name)) fresh += size;
  }
  return fresh / all;
}
