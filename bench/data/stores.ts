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
import { openSnapshotFolder } from '../../scripts/build/release-choice.ts';
import { PROJECT_FOLDER } from '../../scripts/cli/platform.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { MINUTE } from '../../src/hours/clock.ts';
import { VERTICALES, type Verticale } from '../../src/model/enumerations.ts';
import type { Point } from '../../src/model/location.ts';

export const BENCH_FOLDER = join(PROJECT_FOLDER, 'bench');

/** Snapshots and bundles; not in the repository, safe to delete. */
export const CACHE_FOLDER = join(BENCH_FOLDER, '.cache');

export const STORE_OPTIONS = { seed: 20_261_121, languages: 8 } as const;

const CODE =
  'fixtures/generator src/model src/hours src/snapshot scripts/compile scripts/build bench/data';

/** In which a hundredth of the stores changes: of 300, one is edited, one removed, one added. */
const PERIOD = 300;
const EDITED = 50;
const REMOVED = 150;
const ADDED = 250;

/** The number of a store that delivers around the globe. */
const FAR = 100;

/** Stores of which no two have the same schedule: each is closed at another instant. */
const makeStores = (count: number) =>
  generateStores(count, STORE_OPTIONS).map((store, number) => {
    const instant = new Date(Date.UTC(2026, 0) + number * MINUTE).toISOString();
    store.temporal.schedule.closedRanges.push({ id: store.id, from: instant, to: instant });
    if (number === FAR) {
      const { delivery } = store.modules;
      store.geo.displayAddress = true;
      delivery.enabled = true;
      delivery.ranges = [{ min: 0, max: 50_000, price: 990, specificPrices: [] }];
    }
    return store;
  });

/** The directory, the same an hour later, and after a change to every store. */
const EXPORTS = {
  live: (count: number): Iterable<SourceStore> => makeStores(count),
  later: (count: number): Iterable<SourceStore> =>
    makeStores(count).flatMap((store, number) => {
      const index = number % PERIOD;
      if (index === REMOVED) return [];
      if (index === EDITED) return [rename(store)];
      if (index !== ADDED) return [store];
      return [store, generateStore(count + Math.floor(number / PERIOD), STORE_OPTIONS)];
    }),
  changed: (count: number): Iterable<SourceStore> => makeStores(count).map(rename),
};

type ExportName = keyof typeof EXPORTS;
const EXPORT_NAMES = Object.keys(EXPORTS) as ExportName[];

/** What requests need to know of the stores, in their order. */
export interface StoreFacts {
  readonly ids: string[];
  readonly slugs: string[];
  /** Bit n: the store has the n-th verticale. */
  readonly verticales: number[];
  /** Of the stores that exclude towns, or have prices of their own for some. */
  readonly towns: DeliveryTown[];
}

/** A town of a store's rules, and where the store is. */
type DeliveryTown = SourceStore['modules']['delivery']['excludedCities'][number] & Point;

export type PreparedData = Awaited<ReturnType<typeof prepareData>>;

export async function prepareData(storeCount: number, remark: (text: string) => void) {
  const folder = join(CACHE_FOLDER, `${storeCount}-stores`);
  const factsFile = join(folder, 'facts.json');
  const keyFile = join(folder, 'made-by.txt');
  const key = await codeKey();
  if ((await readFile(keyFile, 'utf8').catch(() => null)) !== key) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const facts: StoreFacts = { ids: [], slugs: [], verticales: [], towns: [] };
    for (const name of EXPORT_NAMES) {
      remark(`compiling ${storeCount} stores: ${name}`);
      const stores = EXPORTS[name](storeCount);
      const source = join(folder, `${name}.ndjson`);
      await writeStores(name === 'live' ? noting(stores, facts) : stores, source);
      await snapshotCommand('build', '--source', source, '--out', join(folder, name));
      if (name !== 'live') await rm(source);
    }
    await writeFile(factsFile, JSON.stringify(facts));
    // Last: what was made in part is made anew.
    await writeFile(keyFile, key);
  }
  const openSnapshot = async (name: ExportName) => {
    const { manifest } = await openSnapshotFolder(join(folder, name));
    return { manifest, /** Objects by hash. */ objectsFolder: join(folder, name, 'objects') };
  };
  return {
    storeCount,
    /** Holds `live.ndjson`, the export that is served. */
    sourceFolder: folder,
    snapshots: {
      live: await openSnapshot('live'),
      later: await openSnapshot('later'),
      changed: await openSnapshot('changed'),
    },
    facts: JSON.parse(await readFile(factsFile, 'utf8')) as StoreFacts,
  };
}

/** Runs `npm run snapshot --` without npm. */
export async function snapshotCommand(...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/snapshot.ts', ...args, '--json'], {
    cwd: PROJECT_FOLDER,
    maxBuffer: Number.POSITIVE_INFINITY,
  });
}

/** Counts the stores that have at least one of `wanted`. */
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
    const { excludedCities, ranges } = store.modules.delivery;
    const special = ranges.flatMap(({ specificPrices }) => specificPrices);
    const town = special.at(-1)?.cities[0] ?? excludedCities[0];
    if (town) facts.towns.push({ ...town, ...store.geo.main.point });
    yield store;
  }
}

const rename = (store: SourceStore): SourceStore => ({
  ...store,
  profile: { ...store.profile, name: `${store.profile.name} (new)` },
});

/** Returns a text that changes with the code that makes stores and snapshots. */
async function codeKey(): Promise<string> {
  const hash = createHash('sha256');
  const pattern = `{${CODE.replaceAll(' ', ',')}}/**/*.{ts,json}`;
  for (const file of (await Array.fromAsync(glob(pattern, { cwd: PROJECT_FOLDER }))).sort()) {
    hash.update(`${file}\n`).update(await readFile(join(PROJECT_FOLDER, file)));
  }
  return hash.digest('hex');
}
