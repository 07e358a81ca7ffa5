/**
 * Stores of the benchmark and the snapshots made of them, once per size, kept until the code that
 * makes them changes. Snapshots are compiled by the command that data teams use.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeStores } from '../../fixtures/generator/ndjson-file.ts';
import { generateStore, generateStores } from '../../fixtures/generator/store.ts';
import { openSnapshotFolder } from '../../scripts/build/snapshot-folder.ts';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { VERTICALES, type Verticale } from '../../src/model/enumerations.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';

export const BENCH_FOLDER = join(PROJECT_FOLDER, 'bench');

/** Snapshots and bundles; not in the repository, safe to delete. */
export const CACHE_FOLDER = join(BENCH_FOLDER, '.cache');

export const STORE_OPTIONS = { seed: 20_261_121, languages: 8 } as const;

/** The sizes that bars are about. */
export const SMALL = 2_500;
export const LARGE = 100_000;

const CODE = 'fixtures/generator src/model src/snapshot scripts/compile scripts/build bench/data';

/** In which a hundredth of the stores changes: of 300, one is edited, one removed, one added. */
const PERIOD = 300;
const EDITED = 50;
const REMOVED = 150;
const ADDED = 250;

/** The directory, the same an hour later, and after a change to every store. */
export const EXPORTS = {
  live: (count: number): Iterable<SourceStore> => generateStores(count, STORE_OPTIONS),
  later: (count: number): Iterable<SourceStore> =>
    generateStores(count, STORE_OPTIONS).flatMap((store, number) => {
      const place = number % PERIOD;
      if (place === REMOVED) return [];
      if (place === EDITED) return [rename(store)];
      if (place !== ADDED) return [store];
      return [store, generateStore(count + Math.floor(number / PERIOD), STORE_OPTIONS)];
    }),
  changed: (count: number): Iterable<SourceStore> =>
    generateStores(count, STORE_OPTIONS).map(rename),
};

type ExportName = keyof typeof EXPORTS;

/** What requests need to know of the stores, in their order. */
export interface StoreFacts {
  readonly ids: string[];
  readonly slugs: string[];
  /** Bit n: the store has the n-th verticale. */
  readonly verticales: number[];
}

export interface Snapshot {
  /** Objects by hash. */
  readonly objectsFolder: string;
  readonly manifest: Manifest;
}

export interface PreparedData {
  readonly storeCount: number;
  /** Holds `stores.ndjson`. */
  readonly sourceFolder: string;
  readonly snapshots: Readonly<Record<ExportName, Snapshot>>;
  readonly facts: StoreFacts;
}

export async function prepareData(
  storeCount: number,
  remark: (text: string) => void,
): Promise<PreparedData> {
  const folder = join(CACHE_FOLDER, `${storeCount}-stores`);
  const keyFile = join(folder, 'made-by.txt');
  const key = await codeKey();
  if ((await readFile(keyFile, 'utf8').catch(() => null)) !== key) {
    remark(`making ${storeCount} stores`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const facts: StoreFacts = { ids: [], slugs: [], verticales: [] };
    await writeStores(noting(EXPORTS.live(storeCount), facts), join(folder, 'stores.ndjson'));
    await writeFile(join(folder, 'facts.json'), JSON.stringify(facts));
    await writeFile(keyFile, key);
  }
  const facts = JSON.parse(await readFile(join(folder, 'facts.json'), 'utf8')) as StoreFacts;
  const prepare = (name: ExportName) => prepareSnapshot(name, storeCount, remark);
  const live = await prepare('live');
  const snapshots = { live, later: await prepare('later'), changed: await prepare('changed') };
  return { storeCount, sourceFolder: folder, snapshots, facts };
}

/** Compiles one of the exports, unless it is there: the command leaves a whole snapshot, or none. */
async function prepareSnapshot(
  name: ExportName,
  storeCount: number,
  remark: (text: string) => void,
): Promise<Snapshot> {
  const folder = join(CACHE_FOLDER, `${storeCount}-stores`);
  const target = join(folder, name);
  const open = async () => ({
    objectsFolder: join(target, 'objects'),
    manifest: (await openSnapshotFolder(target)).manifest,
  });
  return open().catch(async () => {
    remark(`compiling ${storeCount} stores: ${name}`);
    const source = join(folder, name === 'live' ? 'stores.ndjson' : `${name}.ndjson`);
    if (name !== 'live') await writeStores(EXPORTS[name](storeCount), source);
    await snapshotCommand('build', '--source', source, '--out', target);
    if (name !== 'live') await rm(source);
    return open();
  });
}

/** `npm run snapshot --` without npm. */
export async function snapshotCommand(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/snapshot.ts', ...args, '--json'], {
    cwd: PROJECT_FOLDER,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
}

/** How many stores have at least one of `wanted`. */
export function countStores({ verticales }: StoreFacts, wanted: readonly Verticale[]): number {
  const mask = maskOf(wanted);
  return verticales.reduce((count, store) => count + ((store & mask) === 0 ? 0 : 1), 0);
}

const maskOf = (words: readonly Verticale[]): number =>
  words.reduce((mask, word) => mask | (1 << VERTICALES.indexOf(word)), 0);

function* noting(stores: Iterable<SourceStore>, facts: StoreFacts): Generator<SourceStore> {
  for (const store of stores) {
    facts.ids.push(store.id);
    facts.slugs.push(store.slug);
    facts.verticales.push(maskOf(store.profile.verticales));
    yield store;
  }
}

const rename = (store: SourceStore): SourceStore => ({
  ...store,
  profile: { ...store.profile, name: `${store.profile.name} (new)` },
});

/** A text that changes with the code that makes stores and snapshots. */
async function codeKey(): Promise<string> {
  const hash = createHash('sha256');
  const pattern = `{${CODE.replaceAll(' ', ',')}}/**/*.ts`;
  for (const file of (await Array.fromAsync(glob(pattern, { cwd: PROJECT_FOLDER }))).sort()) {
    hash.update(`${file}\n`).update(await readFile(join(PROJECT_FOLDER, file)));
  }
  return hash.digest('hex');
}
