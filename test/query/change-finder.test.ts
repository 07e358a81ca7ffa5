/** What a comparison of two releases leaves in memory. */
import { expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { ChangeFinder } from '../../src/query/store-changes.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { publish, TestContext } from '../support/stores/memory-snapshot.ts';
import { WatchedStorage } from '../support/watched-storage.ts';

const STORES = [...generateStores(12, { seed: 6, languages: 1 })];

it('a comparison keeps what changed, and none of the parts that it read', async () => {
  const { values, source } = new WatchedStorage();
  const given: WeakRef<ArrayBuffer>[] = [];
  const read = source.readObjects.bind(source);
  source.readObjects = async (...asked) => {
    const parts = await read(...asked);
    given.push(...parts.flatMap((part) => (part ? [new WeakRef(part)] : [])));
    return parts;
  };
  const changeFinder = new ChangeFinder(new SnapshotMemory(source));
  const before = (await publish(values, STORES)).pointer.manifest;
  const after = (await publish(values, STORES.slice(1))).pointer.manifest;
  const find = () => changeFinder.find(before, after, new TestContext());
  expect((await find()).total).toBe(1);
  await collectGarbage();
  // Of either release the ids, and what is compared.
  expect(given.map((part) => part.deref())).toEqual(Array(4).fill(undefined));
  await find();
  expect(given).toHaveLength(4);
});
