/** Lists of stores without HTTP. */
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { LoadedRelease } from '../../../src/load/loaded-release.ts';
import { SnapshotMemory } from '../../../src/load/snapshot-memory.ts';
import { findStores, partsForList } from '../../../src/query/find-stores.ts';
import { Scratch } from '../../../src/query/scratch.ts';
import { publish as publishTo, TestContext } from '../../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../../support/watched-storage.ts';
import { parseListQuery } from '../../support/worker/query-faults.ts';

/** Publishes stores. Returns what opens a release of them that has answered nothing yet. */
export async function publish(stores: readonly SourceStore[]) {
  const storage = new WatchedStorage();
  const { pointer } = await publishTo(storage.values, stores);
  const memory = new SnapshotMemory(storage.source);
  return () => new LoadedRelease(pointer, memory);
}

/** Returns what the query of a list finds. */
export async function find(release: LoadedRelease, text: string) {
  const query = parseListQuery(text);
  await release.load(partsForList(query), new TestContext());
  return findStores(release, query, new Scratch());
}
