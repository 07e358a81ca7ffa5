/**
 * The snapshot tool in a folder of its own for each test, with a good and a faulty source. Local
 * storage is one for all tests of a file, and emptied after each: to start another takes longer than
 * most of them.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { toolWith } from './call-tool.ts';
import { ndjson } from './faulty-sources.ts';
import { emptyStorage, storageFolder } from './kept-storage.ts';
import { buildStore, storeId } from './stores/store-builder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Prepares each test of a file; read the result's members within tests only. */
export function useSnapshotTool() {
  const folders = temporaryFolder();
  const state = storageFolder();
  const { run, json } = toolWith('snapshot', { STORE_DIRECTORY_STATE: state, NO_COLOR: '1' });
  const tool = {
    /** Where the test works. */
    folder: '',
    /** Holds local storage: what STORE_DIRECTORY_STATE names. */
    state,
    /** Stores 1 to 3. */
    goodFile: '',
    /** Store 1, and stores 2 and 3 with `FAULTS`. */
    faultyFile: '',
    snapshot: run,
    /** The same with `--json`, and what it prints. */
    json,
  };
  beforeEach(async () => {
    tool.folder = await mkdtemp(join(folders, 'test-'));
    tool.goodFile = join(tool.folder, 'good.ndjson');
    tool.faultyFile = join(tool.folder, 'faulty.ndjson');
    await writeFile(tool.goodFile, ndjson([buildStore(1), buildStore(2), buildStore(3)]));
    const faulty = buildStore(2, { 'profile.name': 7, 'pricing.tax.colour': 'red' });
    const stores = [buildStore(1), faulty, buildStore(3, { slug: 'store-1' })];
    await writeFile(tool.faultyFile, ndjson(stores));
  });
  afterEach(emptyStorage);
  return tool;
}

/** The faults of the faulty file. */
export const FAULTS = (
  [
    ['wrong_type', 2, 'profile.name', '7', 'expected string'],
    ['unknown_key', 2, 'pricing.tax.colour', '"red"', 'expected no such key'],
    ['duplicate_slug', 3, 'slug', '"store-1"', 'expected a slug of its own: line 1 has it already'],
  ] as const
).map(([kind, line, path, value, message]) => {
  return { kind, line, element: null, store: storeId(line), path, value, message };
});

/** What they come to. */
export const SUMMARY = {
  stores: 3,
  good: 1,
  faulty: 2,
  faultCount: 3,
  faultGroups: FAULTS.map(({ kind, path }) => ({ kind, path, count: 1 })),
};
