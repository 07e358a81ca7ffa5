/**
 * Ten releases of one directory to be put live in a circle. In each another half of a hundredth of
 * the stores has changed, so that any two of them are a hundredth apart.
 *
 * To build ten exports of 100,000 stores takes ten minutes. Here the records of all stores are made
 * once, and each release is written from those that belong to it, as the compiler writes them.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { generateStore } from '../../fixtures/generator/store.ts';
import { FileSpool } from '../../scripts/build/file-spool.ts';
import { SnapshotFolderWriter } from '../../scripts/build/snapshot-folder.ts';
import { writeRelease } from '../../scripts/compile/compile-release.ts';
import type { CompileIo, ObjectSink } from '../../scripts/compile/release-output.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { spoolRecords } from '../../scripts/compile/spool-records.ts';
import type { StoreFacts as CompiledFacts } from '../../scripts/compile/store-facts.ts';
import { linesOf, rename } from './change-stores.ts';
import {
  CHANGED_CODE,
  keepFolder,
  openSnapshot,
  type PreparedData,
  type Snapshot,
  snapshotIn,
} from './prepare-data.ts';
import type { StoreFacts } from './store-facts.ts';
import { STORE_OPTIONS } from './store-options.ts';

const RELEASES = Array.from({ length: 10 }, (_, number) => number);

/** Of so many stores three change: half of a hundredth. */
const PERIOD = 600;
/** Far enough apart that the places of ten releases do not meet. */
const EDITED = 0;
const REMOVED = 200;
const ADDED = 400;
/** Between the places of one release and those of the next. */
const SHIFT = 15;

const CIRCLE_CODE = [...CHANGED_CODE, 'bench/data/prepare-circle.ts'];

/** A store as some of the releases have it. */
interface Version {
  readonly store: SourceStore;
  /** Whether a release has it. */
  readonly isIn: (release: number) => boolean;
}

/** The releases. None holds an object that the snapshot of `data` has: they are read beside it. */
export async function prepareCircle(
  { storeCount, sourceFolder, snapshot }: PreparedData,
  remark: (text: string) => void,
): Promise<Snapshot[]> {
  const folder = join(sourceFolder, '..', 'circle');
  await keepFolder(folder, CIRCLE_CODE, async () => {
    remark(`compiling ten releases of ${storeCount} stores, any two a hundredth apart`);
    const known = new Set(await readdir(snapshot.objectsFolder));
    await writeReleases(join(sourceFolder, 'stores.ndjson'), storeCount, folder, known);
  });
  return Promise.all(RELEASES.map((number) => openSnapshot(join(folder, String(number)))));
}

/** The facts of the stores that every one of the releases has. */
export function factsOfCircle({ facts }: PreparedData): StoreFacts {
  const stays = (_: unknown, line: number) =>
    !RELEASES.some((release) => placeIn(line, release) === REMOVED);
  return {
    ids: facts.ids.filter(stays),
    slugs: facts.slugs.filter(stays),
    verticales: facts.verticales.filter(stays),
  };
}

async function writeReleases(
  source: string,
  storeCount: number,
  folder: string,
  known: ReadonlySet<string>,
): Promise<void> {
  const spoolFile = join(folder, 'records');
  const spool = new FileSpool(spoolFile);
  const hash = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();
  const all: Version['isIn'][] = [];
  const stores = (async function* () {
    for await (const { store, isIn } of versions(source, storeCount)) {
      all.push(isIn);
      yield store;
    }
  })();
  const nowhere: ObjectSink = { put: async () => {} };
  const spooled = await spoolRecords(stores, { spool, sink: nowhere, hash });
  for (const release of RELEASES) {
    const target = snapshotIn(join(folder, String(release)));
    await mkdir(target, { recursive: true });
    const writer = await SnapshotFolderWriter.create(target);
    const io: CompileIo = { spool, sink: without(known, writer), hash };
    const own: CompiledFacts[] = spooled.filter((_, index) => all[index]?.(release));
    await writer.finish(await writeRelease(own, io));
  }
  spool.close();
  await rm(spoolFile);
}

/** Every store as it is, edited, and new, each with the releases that have it so. */
async function* versions(source: string, storeCount: number): AsyncGenerator<Version> {
  let line = 0;
  let added = storeCount;
  for await (const text of linesOf(source)) {
    const store = JSON.parse(text) as SourceStore;
    const number = line++;
    const place = (release: number) => placeIn(number, release);
    const isAsItWas = (release: number) => ![EDITED, REMOVED].includes(place(release));
    yield { store, isIn: isAsItWas };
    const isEdited = (release: number) => place(release) === EDITED;
    if (RELEASES.some(isEdited)) yield { store: rename(store), isIn: isEdited };
    const isAdded = (release: number) => place(release) === ADDED;
    if (RELEASES.some(isAdded))
      yield { store: generateStore(added++, STORE_OPTIONS), isIn: isAdded };
  }
}

/** Where in its period a line of the file lies, as a release counts. */
function placeIn(line: number, release: number): number {
  return (line + PERIOD - release * SHIFT) % PERIOD;
}

/** Ten whole releases of 100,000 stores would take 14 GB. */
function without(known: ReadonlySet<string>, sink: ObjectSink): ObjectSink {
  return {
    put: async (hash, bytes) => {
      if (!known.has(hash)) await sink.put(hash, bytes);
    },
  };
}
