/** What it takes to build and to publish, with the commands that data teams use. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KVNamespaceListResult } from '@cloudflare/workers-types';
import { openPlatform, PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { changeHundredth } from '../data/change-stores.ts';
import { CACHE_FOLDER } from '../folders.ts';
import type { PublishingResult } from '../report/results.ts';
import type { Scene } from '../scene.ts';

const run = promisify(execFile);

/** @param publishes whether a first publication to local KV is tried: at 100,000 it takes minutes */
export async function measurePublishing(
  { data: { sourceFolder, storeCount } }: Scene,
  publishes: boolean,
): Promise<PublishingResult> {
  // One for each run: two at a time do not disturb each other.
  const folder = join(CACHE_FOLDER, 'publishing', String(process.pid));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    return await measureIn(folder, join(sourceFolder, 'stores.ndjson'), storeCount, publishes);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureIn(
  folder: string,
  source: string,
  storeCount: number,
  publishes: boolean,
): Promise<PublishingResult> {
  const changed = join(folder, 'changed.ndjson');
  const [before, after] = [join(folder, 'before'), join(folder, 'after')];
  const start = performance.now();
  await snapshotCommand('build', '--source', source, '--out', before);
  const buildSeconds = (performance.now() - start) / 1000;
  const writes = publishes ? await countWrites(before, join(folder, 'state')) : null;
  await changeHundredth(source, changed, storeCount);
  await snapshotCommand('build', '--source', changed, '--out', after);
  const changedShare = await shareOfNew(join(before, 'objects'), join(after, 'objects'));
  return { buildSeconds, writes, changedShare };
}

async function snapshotCommand(...args: string[]): Promise<void> {
  await run(process.execPath, ['scripts/snapshot.ts', ...args, '--json'], {
    cwd: PROJECT_FOLDER,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
}

/** Publishes to local storage that is empty, and counts the values that KV holds then. */
async function countWrites(snapshot: string, state: string): Promise<number> {
  const usual = process.env.STORE_DIRECTORY_STATE;
  process.env.STORE_DIRECTORY_STATE = state;
  try {
    await snapshotCommand('publish', '--snapshot', snapshot);
    return await countValues();
  } finally {
    if (usual === undefined) delete process.env.STORE_DIRECTORY_STATE;
    else process.env.STORE_DIRECTORY_STATE = usual;
  }
}

async function countValues(): Promise<number> {
  const { env, dispose } = await openPlatform('development');
  try {
    let count = 0;
    for (let cursor: string | null | undefined = null; cursor !== undefined; ) {
      const page: KVNamespaceListResult<unknown> = await env.SNAPSHOTS.list({ cursor });
      count += page.keys.length;
      cursor = page.list_complete ? undefined : page.cursor;
    }
    return count;
  } finally {
    await dispose();
  }
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
