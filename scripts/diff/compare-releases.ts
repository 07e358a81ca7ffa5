/** What a release would change against another: stores added, removed, changed, and their fields. */
import type { LoadedRelease } from '../../src/load/loaded-release.ts';
import type { StoreField } from '../../src/model/store.ts';
import { type Chunk, RecordReader } from '../../src/snapshot/record-reader.ts';
import type { Progress } from '../cli/progress.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import { explainDamage, loadRelease } from '../releases/load-release.ts';
import { changedFields } from './changed-fields.ts';
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
  /** Null when there were too many to look at: `suspects` of them at most. */
  readonly changed: readonly ChangedStore[] | null;
  /** Stores of both releases that lie in chunks which the live one lacks. */
  readonly suspects: number;
}

export interface CompareOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** When more stores may have changed than this, their records are not read. */
  readonly mostSuspects: number;
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
  const after = await loadRelease(next);
  if (!live) return everythingNew(after);
  // Equal ids stand for equal content, whatever has become of the objects.
  if (live.manifest.release === after.id) return nothingNew(after);
  const before = await loadRelease(live);
  const { added, removed, suspects } = matchStores(
    await readTables(before),
    await readTables(after),
  );
  const isReadable = suspects.length <= options.mostSuspects;
  return {
    live: before.id,
    release: after.id,
    liveStores: before.storeCount,
    stores: after.storeCount,
    added: await namesOf(after, added),
    removed: await namesOf(before, removed),
    changed: isReadable ? await compareStores(before, after, suspects, options) : null,
    suspects: suspects.length,
  };
}

async function everythingNew(release: LoadedRelease): Promise<ReleaseDiff> {
  const { id, storeCount } = release;
  const added = await namesOf(release, [...Array(storeCount).keys()]);
  const none = { live: null, liveStores: 0, removed: [], changed: [], suspects: 0 };
  return { ...none, release: id, stores: storeCount, added };
}

function nothingNew({ id, storeCount }: LoadedRelease): ReleaseDiff {
  const none = { added: [], removed: [], changed: [], suspects: 0 };
  return { ...none, live: id, release: id, liveStores: storeCount, stores: storeCount };
}

/** The names of stores by their ordinals; slugs are read only if there are any. */
async function namesOf(release: LoadedRelease, stores: readonly number[]): Promise<StoreName[]> {
  if (stores.length === 0) return [];
  const { ids } = await readTables(release);
  const slugs = await explainDamage(release, () => release.slugs());
  return stores.map((store) => ({ id: ids.id(store), slug: slugs.slug(store) }));
}

async function readTables(release: LoadedRelease): Promise<StoreTables> {
  return { stores: release.stores, ids: await explainDamage(release, () => release.ids()) };
}

/** A changed store by its ordinal in the next release. */
interface FoundChange {
  readonly next: number;
  readonly fields: readonly StoreField[];
}

async function compareStores(
  before: LoadedRelease,
  after: LoadedRelease,
  suspects: readonly StorePair[],
  { progress, signal }: CompareOptions,
): Promise<ChangedStore[]> {
  const changed: FoundChange[] = [];
  progress.begin('Comparing', suspects.length, 'stores');
  for (let start = 0; start < suspects.length; start += COMPARED_AT_ONCE) {
    signal.throwIfAborted();
    const group = suspects.slice(start, start + COMPARED_AT_ONCE);
    changed.push(...(await compareGroup(before, after, group)));
    progress.update(start + group.length);
  }
  const names = await namesOf(
    after,
    changed.map(({ next }) => next),
  );
  return names
    .map((name, index) => ({ ...name, fields: changed[index]?.fields ?? [] }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function compareGroup(
  before: LoadedRelease,
  after: LoadedRelease,
  group: readonly StorePair[],
): Promise<FoundChange[]> {
  const [was, is] = [new RecordReader(), new RecordReader()];
  const chunksBefore = await readChunks(
    before,
    group.map(({ live }) => live),
  );
  const chunksAfter = await readChunks(
    after,
    group.map(({ next }) => next),
  );
  return group.flatMap(({ live, next }, index) => {
    const [chunkBefore, chunkAfter] = [chunksBefore[index], chunksAfter[index]];
    if (!chunkBefore || !chunkAfter) return [];
    was.moveTo(chunkBefore, before.stores.recordOffset[live] as number);
    is.moveTo(chunkAfter, after.stores.recordOffset[next] as number);
    const fields = changedFields(was, is);
    return fields.length === 0 ? [] : [{ next, fields }];
  });
}

function readChunks(release: LoadedRelease, stores: readonly number[]): Promise<Chunk[]> {
  return explainDamage(release, async () => release.chunksOf(stores));
}
