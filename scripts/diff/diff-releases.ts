/** What a release would change against another: stores added, removed, changed, and their fields. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import type { StoreField } from '../../src/model/store.ts';
import type { Chunk } from '../../src/snapshot/chunk.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Progress } from '../cli/progress.ts';
import { fieldOf } from '../source/fault.ts';
import {
  findDifferences,
  type RecordPlace,
  type showDifference,
  type ValueDifference,
} from './changed-values.ts';
import { pairStores, type StorePair } from './compare-places.ts';

/** Fewer changes than this have no pattern. */
const FEWEST_FOR_PATTERN = 3;

/** Stores compared at once: their chunks are read together. */
const COMPARED_AT_ONCE = 100;

export interface ChangedStore extends StoreName {
  /** In contract order, without the deprecated ones. */
  readonly fields: readonly StoreField[];
}

/** A changed store, with what stood there and what stands there now. */
export interface DetailedChange extends ChangedStore {
  readonly values: readonly ReturnType<typeof showDifference>[];
}

/** Both records of a changed store, for as long as it is told of them, and where they differ. */
export interface ComparedRecords {
  readonly before: RecordPlace;
  readonly after: RecordPlace;
  readonly differences: readonly ValueDifference[];
}

export type ReleaseDiff = Awaited<ReturnType<typeof diffReleases>>;

export interface CompareOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** When more stores have changed than this, the records of so many are read, evenly spread. */
  readonly mostRead: number;
  /** Told of each changed store whose records are read, in order of id. */
  readonly onChanged?: (store: ChangedStore, records: ComparedRecords) => void;
}

/**
 * Compares a release with the live one (null: none is live). What is held in memory grows
 * with the number of stores, never with their size.
 * @throws CommandError release_damaged when a release cannot be read
 */
export async function diffReleases(
  live: ReleaseReader | null,
  next: ReleaseReader,
  options: CompareOptions,
) {
  const pairs = await pairStores(live, next);
  return {
    /** The release that is live, and null when none is. */
    live: live?.manifest.release ?? null,
    release: next.manifest.release,
    liveStores: live?.manifest.storeCount ?? 0,
    stores: next.manifest.storeCount,
    ...pairs,
    ...(await readChanges(live, next, sampleOf(pairs.changed, options.mostRead), options)),
  };
}

/** At most so many of all, evenly spread. */
export function sampleOf<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const step = all.length / most;
  return Array.from({ length: most }, (_, place) => all[Math.floor(place * step)] as T);
}

async function readChanges(
  before: ReleaseReader | null,
  after: ReleaseReader,
  pairs: readonly StorePair[],
  { progress, signal, onChanged }: CompareOptions,
) {
  const lookedAt: ChangedStore[] = [];
  if (!before || pairs.length === 0) return { lookedAt, soleField: null };
  const soleFields = new Map<string, number>();
  progress.begin('Comparing', pairs.length, 'stores');
  for (let start = 0; start < pairs.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = pairs.slice(start, start + COMPARED_AT_ONCE);
    const recordsBefore = await before.records(group.map(({ live }) => live));
    const recordsAfter = await after.records(group.map(({ next }) => next));
    for (const [place, { id, slug }] of group.entries()) {
      const pair = [recordAt(recordsBefore, place), recordAt(recordsAfter, place)] as const;
      const differences = findDifferences(...pair);
      const fields = new Set(differences.map(({ path }) => path.split('.')[0]));
      const store = { id, slug, fields: [...fields] as StoreField[] };
      lookedAt.push(store);
      const [path, ...others] = new Set(differences.map((each) => fieldOf(each.path)));
      if (path && others.length === 0) soleFields.set(path, (soleFields.get(path) ?? 0) + 1);
      onChanged?.(store, { before: pair[0], after: pair[1], differences });
    }
    progress.update(start + group.length);
  }
  return {
    /** Those whose records were read: all, or a sample of them. */
    lookedAt,
    /** A field that alone makes most of the changes among those; null when no field does. */
    soleField: mostOf(soleFields, lookedAt.length),
  };
}

/** The field of most of `count` stores. */
function mostOf(fields: ReadonlyMap<string, number>, count: number) {
  const [most] = [...fields].sort(([, a], [, b]) => b - a);
  if (!most || count < FEWEST_FOR_PATTERN || most[1] <= count / 2) return null;
  const [path, stores] = most;
  return {
    /** Dotted, `*` for any element of a list. */
    path,
    /** In how many stores nothing else differs. */
    stores,
  };
}

/** Where a record of some lies. */
export function recordAt({ chunks, indexes }: StoredRecords, place: number): RecordPlace {
  return { chunk: chunks[place] as Chunk, index: indexes[place] as number };
}

/**
 * Runs `work` and tells damage of the live release from damage of another.
 * @throws CommandError live_unreadable
 */
export async function explainLive<T>(
  live: { readonly manifest: Manifest } | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'release_damaged') throw error;
    const { details } = error;
    const isOfLive = 'release' in details && details.release === live?.manifest.release;
    if (!isOfLive) throw error;
    const message = `the live release cannot be compared with: ${error.message}; publish --force --afresh replaces it`;
    throw new CommandError(message, 'live_unreadable', { cause: error });
  }
}
