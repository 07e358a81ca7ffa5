/** What a comparison of two releases leaves in memory. */
import { beforeEach, describe, expect, it } from 'vitest';
import { generateStores } from '../../fixtures/generator/store.ts';
import { SnapshotMemory } from '../../src/load/snapshot-memory.ts';
import { ChangeFinder } from '../../src/query/change-finder.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { Freshness } from '../../src/storage/snapshot-source.ts';
import { MemorySource, TestBackground } from '../shared/memory-snapshot.ts';

const PUBLISHED_AT = '2026-01-01T00:00:00Z';
const STORES = [...generateStores(12, { seed: 6, languages: 1 })];

/** Remembers what it gave out. */
class WatchedSource extends MemorySource {
  readonly given: (ArrayBuffer | null)[] = [];

  override async readObjects(keys: readonly string[], freshness: Freshness) {
    const values = await super.readObjects(keys, freshness);
    this.given.push(...values);
    return values;
  }
}

let source: WatchedSource;
let finder: ChangeFinder;
let before: Manifest;
let after: Manifest;

beforeEach(async () => {
  source = new WatchedSource();
  finder = new ChangeFinder(new SnapshotMemory(source));
  before = await source.publish(STORES, PUBLISHED_AT);
  after = await source.publish(STORES.slice(1), PUBLISHED_AT);
});

/** Bytes of each part that was read: none where its memory was given back. */
const bytesLeft = () => source.given.map((part) => part?.byteLength);

describe('the parts of a comparison', () => {
  it('are given back once what changed is known', async () => {
    const changes = await finder.find(before, after, new TestBackground());
    expect(changes.total).toBe(1);
    // Of either release the ids, and what is compared.
    expect(bytesLeft()).toEqual([0, 0, 0, 0]);
  });

  it('are given back when one of them is damaged', async () => {
    const other = { ...after, storeCount: after.storeCount + 1 };
    const finding = finder.find(before, other, new TestBackground());
    await expect(finding).rejects.toThrow('ids bytes');
    expect(bytesLeft()).toEqual([0, 0, 0, 0]);
  });
});
