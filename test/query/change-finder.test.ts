/** What a comparison of two releases leaves in memory. */
import { expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { ChangeFinder } from '../../src/query/store-changes.ts';
import type { Freshness, StoredObject } from '../../src/storage/reading.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { MemorySource, TestContext } from '../support/stores/memory-snapshot.ts';

const STORES = [...generateStores(12, { seed: 6, languages: 1 })];

/** Remembers what it gave out. */
class WatchedSource extends MemorySource {
  readonly given: WeakRef<ArrayBuffer>[] = [];

  override async readObjects(objects: readonly StoredObject[], freshness: Freshness) {
    const values = await super.readObjects(objects, freshness);
    for (const value of values) if (value) this.given.push(new WeakRef(value));
    return values;
  }
}

it('a comparison keeps what changed, and none of the parts that it read', async () => {
  const source = new WatchedSource();
  const changeFinder = new ChangeFinder(new SnapshotMemory(source));
  const before = await source.publish(STORES);
  const after = await source.publish(STORES.slice(1));
  const find = () => changeFinder.find(before, after, new TestContext());
  expect((await find()).total).toBe(1);
  await collectGarbage();
  // Of either release the ids, and what is compared.
  expect(source.given.map((part) => part.deref())).toEqual(Array(4).fill(undefined));
  await find();
  expect(source.given).toHaveLength(4);
});
