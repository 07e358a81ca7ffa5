/**
 * The snapshot tool in a folder of its own for each test, with a good and a faulty source. Local
 * storage is one for all tests of a file, and emptied after each: to start another takes longer than
 * most of them.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { toolWith } from './call-tool.ts';
import { ndjson, storeWith } from './faulty-sources.ts';
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
    const faulty = storeWith(2, { 'profile.name': 7, 'pricing.tax.colour': 'red' });
    const stores = [buildStore(1), faulty, storeWith(3, { slug: 'store-1' })];
    await writeFile(tool.faultyFile, ndjson(stores));
  });
  afterEach(emptyStorage);
  return tool;
}

/** The faults of the faulty file. */
export const FAULTS = [
  {
    kind: 'wrong_type',
    line: 2,
    element: null,
    store: storeId(2),
    path: 'profile.name',
    value: '7',
    message: 'expected a string, in quotes',
  },
  {
    kind: 'unknown_key',
    line: 2,
    element: null,
    store: storeId(2),
    path: 'pricing.tax.colour',
    value: '"red"',
    message: 'expected no such key',
  },
  {
    kind: 'duplicate_slug',
    line: 3,
    element: null,
    store: storeId(3),
    path: 'slug',
    value: '"store-1"',
    message: 'expected a slug of its own: line 1 has it already',
  },
];

/** What they come to. */
export const SUMMARY = {
  stores: 3,
  good: 1,
  faulty: 2,
  faultCount: 3,
  faultGroups: [
    { kind: 'wrong_type', path: 'profile.name', count: 1 },
    { kind: 'unknown_key', path: 'pricing.tax.colour', count: 1 },
    { kind: 'duplicate_slug', path: 'slug', count: 1 },
  ],
};
