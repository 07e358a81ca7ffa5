/** Fourteen releases in memory, one every two days, in generations of four: the first four are not kept. */
import { beforeAll, beforeEach } from 'vitest';
import { OBJECT_PREFIX, RELEASE_PREFIX } from '../../../src/snapshot/keys.ts';
import { MemoryTarget } from '../../support/memory-target.ts';
import {
  type CompiledStores,
  compileStores,
  publishCompiled,
  storesFrom,
} from '../../support/stores/compiled-stores.ts';

export const DAY = 24 * 3600_000;

/** Compiles releases that differ in some stores and share others, and publishes the first fourteen. */
export async function publishFourteen(target: MemoryTarget, count = 14): Promise<CompiledStores[]> {
  const releases: CompiledStores[] = [];
  for (let number = 1; number <= count; number++) {
    const compiled = await compileStores(storesFrom(number, number + 3));
    const afresh = number % 4 === 1;
    if (number <= 14) await publishCompiled(target, compiled, 2 * number - 1, { afresh });
    releases.push(compiled);
  }
  return releases;
}

/** Prepares each test of a file. */
export function useFourteenReleases() {
  let releases: CompiledStores[] = [];
  const published = new MemoryTarget();
  /** The first one is number 1; number 14 is live. */
  const release = (number: number) => releases[number - 1] as CompiledStores;
  const keysBelow = (prefix: string): string[] =>
    [...stage.target.values.keys()].filter((key) => key.startsWith(prefix));
  const stage = {
    /** Where they were published. A test may put another target in its place. */
    target: published,
    release,
    idOf: (number: number) => release(number).manifest.release,
    /** Hashes of the objects of the releases from one to another, each once, in order. */
    objectsOf: (from: number, to = from) =>
      unique(range(from, to).flatMap((number) => [...release(number).objects.keys()])),
    /** Hashes of the objects that are there, each once, in order. */
    stored: () => unique(keysBelow(OBJECT_PREFIX).map((key) => key.split('/').at(-1) ?? '')),
    /** The names by which Workers find releases, in order. */
    names: () =>
      keysBelow(RELEASE_PREFIX)
        .map((key) => key.slice(RELEASE_PREFIX.length))
        .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
  };
  beforeAll(async () => {
    releases = await publishFourteen(published);
    published.writes.length = 0;
  });
  beforeEach(() => {
    stage.target = published.fork();
    stage.target.time += 10_000;
  });
  return stage;
}

const unique = (texts: readonly string[]) => [...new Set(texts)].sort();

/** The whole numbers from one to another, both included. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
