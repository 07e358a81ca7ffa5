/**
 * Stores and snapshots of the benchmark, made once per size and kept until the code that makes
 * them changes. The snapshot is compiled by the command that partners' data teams use, and the
 * time that takes is kept with it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import { writeStores } from '../../scripts/fixtures/ndjson-file.ts';
import { generateStores } from '../../scripts/fixtures/store.ts';
import { openSnapshotFolder } from '../../scripts/snapshot/snapshot-folder.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { CACHE_FOLDER } from '../folders.ts';
import { STORE_OPTIONS } from '../requests/request-log.ts';
import { codeKey } from './code-key.ts';

const run = promisify(execFile);

const SOURCE_CODE = ['scripts/fixtures', 'src/model', 'bench/requests'];
const SNAPSHOT_CODE = [...SOURCE_CODE, 'src/snapshot', 'src/compile', 'scripts/snapshot'];

export interface PreparedData {
  readonly storeCount: number;
  /** Holds `stores.ndjson`. */
  readonly sourceFolder: string;
  readonly snapshotFolder: string;
  /** Objects by hash. */
  readonly objectsFolder: string;
  readonly manifest: Manifest;
  /** What `snapshot build` took, start of the process and validation included. */
  readonly compileSeconds: number;
}

const recordSchema = z.strictObject({
  sourceKey: z.string(),
  snapshotKey: z.string(),
  compileSeconds: z.number(),
});

type CacheRecord = z.infer<typeof recordSchema>;

export async function prepareData(
  storeCount: number,
  remark: (text: string) => void,
): Promise<PreparedData> {
  const folder = join(CACHE_FOLDER, `${storeCount}-stores`);
  const source = join(folder, 'stores.ndjson');
  const snapshotFolder = join(folder, 'snapshot');
  const recordFile = join(folder, 'record.json');
  const known = await readRecord(recordFile);
  const sourceKey = await codeKey(SOURCE_CODE);
  const snapshotKey = await codeKey(SNAPSHOT_CODE);
  let compileSeconds = known?.compileSeconds ?? 0;
  if (known?.sourceKey !== sourceKey) {
    remark(`making ${storeCount} stores`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeStores(generateStores(storeCount, STORE_OPTIONS), source);
  }
  if (known?.snapshotKey !== snapshotKey) {
    remark(`compiling ${storeCount} stores`);
    compileSeconds = await compile(source, snapshotFolder);
    const record: CacheRecord = { sourceKey, snapshotKey, compileSeconds };
    await writeFile(recordFile, JSON.stringify(record));
  }
  const { manifest } = await openSnapshotFolder(snapshotFolder);
  const objectsFolder = join(snapshotFolder, 'objects');
  return {
    storeCount,
    sourceFolder: folder,
    snapshotFolder,
    objectsFolder,
    manifest,
    compileSeconds,
  };
}

async function readRecord(file: string): Promise<CacheRecord | null> {
  const text = await readFile(file, 'utf8').catch(() => null);
  return text === null ? null : recordSchema.parse(JSON.parse(text));
}

/** Runs `snapshot build` and returns the seconds it took. */
async function compile(source: string, out: string): Promise<number> {
  // Read once, so that the disk is not what is measured.
  await stat(source);
  const start = performance.now();
  await run(
    process.execPath,
    ['scripts/snapshot.ts', 'build', '--source', source, '--out', out, '--json'],
    { cwd: PROJECT_FOLDER },
  );
  return (performance.now() - start) / 1000;
}
