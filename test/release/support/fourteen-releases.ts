/** Fourteen releases in memory, one every two days, in generations of four: the first four are not kept. */
import { beforeAll, beforeEach } from 'vitest';
import { SILENT_PROGRESS } from '../../../scripts/cli/progress.ts';
import {
  type Collectable,
  deleteCollectable,
  findCollectable,
} from '../../../scripts/release/collect.ts';
import { openLog } from '../../../scripts/release/open-log.ts';
import { OBJECT_PREFIX } from '../../../src/snapshot/keys.ts';
import { MemoryTarget } from '../../support/memory-target.ts';
import {
  type CompiledStores,
  compileStores,
  publishCompiled,
  storesFrom,
} from '../../support/stores/compiled-stores.ts';

export const DAY = 24 * 3600_000;

export interface FourteenReleases {
  /** Where they were published. A test may put another target in its place. */
  target: MemoryTarget;
  /** The first one is number 1; number 14 is live. */
  readonly release: (number: number) => CompiledStores;
  readonly idOf: (number: number) => string;
  /** Hashes of the objects of releases. */
  readonly objectsOf: (...numbers: number[]) => Set<string>;
  /** Hashes of the objects that are there, each once, in order. */
  readonly stored: () => string[];
  /** Deletes what may go, and returns what that was. */
  readonly collect: () => Promise<Collectable>;
}

/** Prepares each test of a file. */
export function useFourteenReleases(): FourteenReleases {
  const releases: CompiledStores[] = [];
  const published = new MemoryTarget();
  const release = (number: number) => {
    const found = releases[number - 1];
    if (!found) throw new Error(`there is no release ${number}`);
    return found;
  };
  const stage: FourteenReleases = {
    target: published,
    release,
    idOf: (number) => release(number).manifest.release,
    objectsOf: (...numbers) =>
      new Set(numbers.flatMap((number) => [...release(number).objects.keys()])),
    stored: () => {
      const keys = [...stage.target.values.keys()].filter((key) => key.startsWith(OBJECT_PREFIX));
      return [...new Set(keys.map((key) => key.split('/').at(-1) ?? ''))].sort();
    },
    collect: async () => {
      const { target } = stage;
      const found = await findCollectable(target, await openLog(target));
      await deleteCollectable(target, found, { progress: SILENT_PROGRESS });
      return found;
    },
  };
  beforeAll(async () => {
    for (let number = 1; number <= 14; number++) {
      const compiled = await compileStores(storesFrom(number, number + 3));
      await publishCompiled(published, compiled, 2 * number - 1, { afresh: number % 4 === 1 });
      releases.push(compiled);
    }
  });
  beforeEach(() => {
    stage.target = published.fork();
  });
  return stage;
}

/** The whole numbers from one to another, both included. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
