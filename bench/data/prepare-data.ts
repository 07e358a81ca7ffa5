/**
 * Stores and snapshots of the benchmark, made once per size and kept until the code that makes
 * them changes. The snapshot is compiled by the command that partners' data teams use.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeStores } from '../../fixtures/generator/ndjson-file.ts';
import { generateStores } from '../../fixtures/generator/store.ts';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { CACHE_FOLDER } from '../folders.ts';
import { changeAll, changeHundredth } from './change-stores.ts';
import { codeKey } from './code-key.ts';
import { readFacts, type StoreFacts, writeFacts } from './store-facts.ts';
import { STORE_OPTIONS } from './store-options.ts';

/** Fewer stores than that have no pages of 100 anywhere, nor towns with twenty. */
export const LEAST_STORES = 2_500;

const run = promisify(execFile);

const SOURCE_CODE = ['fixtures/generator', 'src/model', 'bench/data/store-options.ts'];
const FACTS_CODE = [...SOURCE_CODE, 'bench/data/store-facts.ts'];
const SNAPSHOT_CODE = [
  ...SOURCE_CODE,
  'src/snapshot',
  'scripts/compile',
  'scripts/build/compile-to-folder.ts',
  'scripts/build/file-spool.ts',
  'scripts/build/snapshot-folder.ts',
];
/** What snapshots of changed stores are made by. */
export const CHANGED_CODE = [...SNAPSHOT_CODE, 'bench/data/change-stores.ts'];

export interface Snapshot {
  /** Objects by hash. */
  readonly objectsFolder: string;
  readonly manifest: Manifest;
}

export interface PreparedData {
  readonly storeCount: number;
  /** Holds `stores.ndjson`. */
  readonly sourceFolder: string;
  readonly snapshot: Snapshot;
  readonly facts: StoreFacts;
}

export async function prepareData(
  storeCount: number,
  remark: (text: string) => void,
): Promise<PreparedData> {
  const folder = join(CACHE_FOLDER, `${storeCount}-stores`);
  const sourceFolder = join(folder, 'source');
  const source = join(sourceFolder, 'stores.ndjson');
  await keepFolder(sourceFolder, SOURCE_CODE, async () => {
    remark(`making ${storeCount} stores`);
    await writeStores(generateStores(storeCount, STORE_OPTIONS), source);
  });
  const factsFolder = join(folder, 'facts');
  const factsFile = join(factsFolder, 'facts.json');
  await keepFolder(factsFolder, FACTS_CODE, () => writeFacts(source, factsFile));
  const snapshotFolder = join(folder, 'live');
  await keepFolder(snapshotFolder, SNAPSHOT_CODE, async () => {
    remark(`compiling ${storeCount} stores`);
    await compile(source, snapshotFolder);
  });
  const snapshot = await openSnapshot(snapshotFolder);
  return { storeCount, sourceFolder, snapshot, facts: await readFacts(factsFile) };
}

/** The snapshot after every one of the stores has changed. */
export async function prepareChanged(
  { storeCount, sourceFolder }: PreparedData,
  remark: (text: string) => void,
): Promise<Snapshot> {
  const folder = join(sourceFolder, '..', 'changed');
  await keepFolder(folder, CHANGED_CODE, async () => {
    remark(`compiling ${storeCount} changed stores`);
    const source = join(folder, 'stores.ndjson');
    await changeAll(join(sourceFolder, 'stores.ndjson'), source);
    await compile(source, folder);
    await rm(source);
  });
  return openSnapshot(folder);
}

/** The snapshot an hour later: a hundredth of the stores has changed. */
export async function prepareLater(
  { storeCount, sourceFolder }: PreparedData,
  remark: (text: string) => void,
): Promise<Snapshot> {
  const folder = join(sourceFolder, '..', 'later');
  await keepFolder(folder, CHANGED_CODE, async () => {
    remark(`compiling ${storeCount} stores of which a hundredth changed`);
    const source = join(folder, 'stores.ndjson');
    await changeHundredth(join(sourceFolder, 'stores.ndjson'), source, storeCount);
    await compile(source, folder);
    await rm(source);
  });
  return openSnapshot(folder);
}

/** Runs `snapshot build` into a folder within `folder`. */
async function compile(source: string, folder: string): Promise<void> {
  const args = ['build', '--source', source, '--out', snapshotIn(folder), '--json'];
  await run(process.execPath, ['scripts/snapshot.ts', ...args], { cwd: PROJECT_FOLDER });
}

/** The snapshot within `folder`. */
export async function openSnapshot(folder: string): Promise<Snapshot> {
  const { manifest } = await openSnapshotFolder(snapshotIn(folder));
  return { objectsFolder: join(snapshotIn(folder), 'objects'), manifest };
}

export const snapshotIn = (folder: string) => join(folder, 'snapshot');

/** Empties `folder` and fills it by `make`, unless today's code of `paths` filled it. */
export async function keepFolder(
  folder: string,
  paths: readonly string[],
  make: () => Promise<void>,
): Promise<void> {
  const keyFile = join(folder, 'made-by.txt');
  const key = await codeKey(paths);
  const known = await readFile(keyFile, 'utf8').catch(() => null);
  if (known === key) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await make();
  await writeFile(keyFile, key);
}
