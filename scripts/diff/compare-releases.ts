/** What a release would change against another: stores added, removed, changed, and their fields. */
import type { StoredRecords } from '../../src/load/loaded-release.ts';
import type { StoreField } from '../../src/model/store.ts';
import type { Chunk } from '../../src/snapshot/chunk.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { Progress } from '../cli/progress.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import { ReleaseReader } from '../release/release-reader.ts';
import { changedFields, type RecordPlace } from './changed-fields.ts';
import { matchStores, type StorePair, type StoreTables } from './match-stores.ts';

/** Stores compared at once: each may wait for a chunk of the live release. */
const COMPARED_AT_ONCE = 32;

export interface StoreName {
  /** In lower case. */
  readonly id: string;
  readonly slug: string;
}

export interface ChangedStore extends StoreName {
  /** In contract order, without the deprecated ones. */
  readonly fields: readonly StoreField[];
}

export interface ReleaseDiff {
  /** The release that is live, and null when none is. */
  readonly live: string | null;
  readonly release: string;
  readonly liveStores: number;
  readonly stores: number;
  /** In order of id, as are all lists here. */
  readonly added: readonly StoreName[];
  readonly removed: readonly StoreName[];
  /** Null when there were too many to read their records. */
  readonly changed: readonly ChangedStore[] | null;
  /** Stores of both releases whose records differ. */
  readonly changedCount: number;
}

export interface CompareOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** When more stores have changed than this, their records are not read. */
  readonly mostRead: number;
}

/**
 * Compares a compiled release with the live one (null: none is live). What is held in memory grows
 * with the number of stores, never with their size.
 * @throws CommandError release_damaged when a release cannot be read
 */
export async function compareReleases(
  live: CompiledRelease | null,
  next: CompiledRelease,
  options: CompareOptions,
): Promise<ReleaseDiff> {
  const after = new ReleaseReader(next);
  if (!live) return everythingNew(after);
  // Equal ids stand for equal content, whatever has become of the objects.
  if (live.manifest.release === next.manifest.release) return nothingNew(next.manifest);
  const before = new ReleaseReader(live);
  const found = matchStores(await readTables(before), await readTables(after));
  const isReadable = found.changed.length <= options.mostRead;
  return {
    live: live.manifest.release,
    release: next.manifest.release,
    liveStores: live.manifest.storeCount,
    stores: next.manifest.storeCount,
    added: await namesOf(after, found.added),
    removed: await namesOf(before, found.removed),
    changed: isReadable ? await readChanges(before, after, found.changed, options) : null,
    changedCount: found.changed.length,
  };
}

async function everythingNew(reader: ReleaseReader): Promise<ReleaseDiff> {
  const { release, storeCount } = reader.manifest;
  const added = await namesOf(reader, [...Array(storeCount).keys()]);
  const none = { live: null, liveStores: 0, removed: [], changed: [], changedCount: 0 };
  return { ...none, release, stores: storeCount, added };
}

function nothingNew({ release, storeCount }: Manifest): ReleaseDiff {
  const none = { added: [], removed: [], changed: [], changedCount: 0 };
  return { ...none, live: release, release, liveStores: storeCount, stores: storeCount };
}

/** The names of stores by their ordinals; slugs are read only if there are any. */
async function namesOf(reader: ReleaseReader, stores: readonly number[]): Promise<StoreName[]> {
  if (stores.length === 0) return [];
  const [ids, slugs] = [await reader.ids(), await reader.slugTexts()];
  return stores.map((store) => ({ id: ids.id(store), slug: slugs.slug(store) }));
}

async function readTables(reader: ReleaseReader): Promise<StoreTables> {
  return { ids: await reader.ids(), fingerprints: await reader.fingerprints() };
}

async function readChanges(
  before: ReleaseReader,
  after: ReleaseReader,
  pairs: readonly StorePair[],
  { progress, signal }: CompareOptions,
): Promise<ChangedStore[]> {
  const fields: StoreField[][] = [];
  progress.begin('Comparing', pairs.length, 'stores');
  for (let start = 0; start < pairs.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = pairs.slice(start, start + COMPARED_AT_ONCE);
    fields.push(...(await compareGroup(before, after, group)));
    progress.update(start + group.length);
  }
  const names = await namesOf(
    after,
    pairs.map(({ next }) => next),
  );
  return names.map((name, index) => ({ ...name, fields: fields[index] ?? [] }));
}

/** The fields that differ, for each pair. */
async function compareGroup(
  before: ReleaseReader,
  after: ReleaseReader,
  group: readonly StorePair[],
): Promise<StoreField[][]> {
  const recordsBefore = await before.records(group.map(({ live }) => live));
  const recordsAfter = await after.records(group.map(({ next }) => next));
  return group.map((_, place) =>
    changedFields(recordAt(recordsBefore, place), recordAt(recordsAfter, place)),
  );
}

function recordAt({ chunks, indexes }: StoredRecords, place: number): RecordPlace {
  return { chunk: chunks[place] as Chunk, index: indexes[place] as number };
}
