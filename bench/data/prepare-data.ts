/**
 * Stores and snapshots of the benchmark, made once per size and kept until the code that makes
 * them changes. The snapshot is compiled by the command that partners' data teams use.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { writeStores } from '../../scripts/fixtures/ndjson-file.ts';
import { generateStores } from '../../scripts/fixtures/store.ts';
import { openSnapshotFolder } from '../../scripts/snapshot/snapshot-folder.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { CACHE_FOLDER } from '../folders.ts';
import { changeAll } from './change-stores.ts';
import { codeKey } from './code-key.ts';
import { readFacts, type StoreFacts, writeFacts } from './store-facts.ts';
import { STORE_OPTIONS } from './store-options.ts';

const run = promisify(execFile);

const SOURCE_CODE = [
  ...['scripts/fixtures', 'src/model'],
  ...['bench/data/store-options.ts', 'bench/data/store-facts.ts', 'bench/data/change-stores.ts'],
];
const SNAPSHOT_CODE = [...SOURCE_CODE, 'src/snapshot', 'src/compile', 'scripts/snapshot'];

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
  const folder = folderOf(storeCount);
  const factsFile = join(folder, 'facts.json');
  await keepFolder(folder, await codeKey(SOURCE_CODE), async () => {
    remark(`making ${storeCount} stores`);
    const source = sourceOf(folder);
    await writeStores(generateStores(storeCount, STORE_OPTIONS), source);
    await writeFacts(source, factsFile);
  });
  const snapshot = await keepSnapshot(join(folder, 'live'), async (out) => {
    remark(`compiling ${storeCount} stores`);
    await compile(sourceOf(folder), out);
  });
  return { storeCount, sourceFolder: folder, snapshot, facts: await readFacts(factsFile) };
}

/** The snapshot after every one of the stores has changed. */
export async function prepareChanged(
  storeCount: number,
  remark: (text: string) => void,
): Promise<Snapshot> {
  const folder = folderOf(storeCount);
  return keepSnapshot(join(folder, 'changed'), async (out) => {
    remark(`compiling ${storeCount} changed stores`);
    const source = join(folder, 'changed.ndjson');
    await changeAll(sourceOf(folder), source);
    await compile(source, out);
    await rm(source);
  });
}

const folderOf = (storeCount: number) => join(CACHE_FOLDER, `${storeCount}-stores`);
const sourceOf = (folder: string) => join(folder, 'stores.ndjson');

async function keepSnapshot(
  folder: string,
  make: (out: string) => Promise<void>,
): Promise<Snapshot> {
  const out = join(folder, 'snapshot');
  await keepFolder(folder, await codeKey(SNAPSHOT_CODE), () => make(out));
  const { manifest } = await openSnapshotFolder(out);
  return { objectsFolder: join(out, 'objects'), manifest };
}

/** Empties `folder` and fills it by `make`, unless that was done by the code that `key` stands for. */
async function keepFolder(folder: string, key: string, make: () => Promise<void>): Promise<void> {
  const keyFile = join(folder, 'made-by.txt');
  const known = await readFile(keyFile, 'utf8').catch(() => null);
  if (known === key) return;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await make();
  await writeFile(keyFile, key);
}

/** Runs `snapshot build`. */
async function compile(source: string, out: string): Promise<void> {
  await run(
    process.execPath,
    ['scripts/snapshot.ts', 'build', '--source', source, '--out', out, '--json'],
    { cwd: PROJECT_FOLDER },
  );
}
