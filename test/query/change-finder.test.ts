/** What a comparison of two releases leaves in memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { ChangeFinder } from '../../src/query/store-changes.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import type { Freshness, StoredObject } from '../../src/storage/reading.ts';
import { collectGarbage } from '../support/collect-garbage.ts';
import { MemorySource, TestContext } from '../support/stores/memory-snapshot.ts';

const PUBLISHED_AT = '2026-01-01T00:00:00Z';
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

let source: WatchedSource;
let changeFinder: ChangeFinder;
let before: PublishedManifest;
let after: PublishedManifest;

beforeEach(async () => {
  source = new WatchedSource();
  changeFinder = new ChangeFinder(new SnapshotMemory(source));
  before = await source.publish(STORES, PUBLISHED_AT);
  after = await source.publish(STORES.slice(1), PUBLISHED_AT);
});

/** How many parts were read, and how many of them are still in memory. */
async function parts() {
  await collectGarbage();
  return { read: source.given.length, left: source.given.filter((part) => part.deref()).length };
}

describe('the parts of a comparison', () => {
  it('are not kept once what changed is known', async () => {
    const changes = await changeFinder.find(before, after, new TestContext());
    expect(changes.total).toBe(1);
    // Of either release the ids, and what is compared.
    expect(await parts()).toEqual({ read: 4, left: 0 });
  });
});
