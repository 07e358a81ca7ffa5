/** What it takes to build and to publish, with the command that data teams use. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { changeStores } from '../data/change-stores.ts';
import { CACHE_FOLDER } from '../folders.ts';
import type { PublishingResult } from '../report/results.ts';

const run = promisify(execFile);

/** What `snapshot publish --json` says, as far as it is needed. */
interface Publication {
  readonly uploaded: { readonly bytes: number };
  readonly reused: { readonly bytes: number };
}

/** Builds and publishes to a local storage of its own. @param source an NDJSON file */
export async function measurePublishing(source: string): Promise<PublishingResult> {
  const folder = join(CACHE_FOLDER, 'publishing');
  const state = join(folder, 'state');
  const snapshot = join(folder, 'snapshot');
  await rm(folder, { recursive: true, force: true });
  const [buildSeconds] = await snapshotCommand(
    state,
    'build',
    '--source',
    source,
    '--out',
    snapshot,
  );
  const publish = ['publish', '--snapshot', snapshot];
  const [publishSeconds] = await snapshotCommand(state, ...publish);
  const [publishUnchangedSeconds] = await snapshotCommand(state, ...publish);
  const changed = join(folder, 'changed.ndjson');
  await changeStores(source, changed);
  const [, output] = await snapshotCommand(state, 'publish', '--source', changed, '--dry-run');
  const { uploaded, reused } = JSON.parse(output) as Publication;
  await rm(folder, { recursive: true, force: true });
  return {
    buildSeconds,
    publishSeconds,
    publishUnchangedSeconds,
    changedShare: uploaded.bytes / (uploaded.bytes + reused.bytes),
  };
}

/** Runs a command and returns the seconds it took and what it printed. */
async function snapshotCommand(
  state: string,
  ...args: string[]
): Promise<[seconds: number, output: string]> {
  const start = performance.now();
  const { stdout } = await run(process.execPath, ['scripts/snapshot.ts', ...args, '--json'], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, STORE_DIRECTORY_STATE: state },
    maxBuffer: Infinity,
  });
  return [(performance.now() - start) / 1000, stdout];
}
