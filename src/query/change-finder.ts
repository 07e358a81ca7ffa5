/**
 * Compares two releases and keeps the changes, so that the pages of a walk, and partners who ask
 * for the same, cost one comparison. Changes are small. The parts that are compared are not kept:
 * those of two releases of 100,000 stores are as large as all bytes that may be under way at once.
 */

import { BudgetCache } from '../cache/budget-cache.ts';
import { partOf } from '../load/object-reader.ts';
import { SharedReads } from '../load/shared-reads.ts';
import type { SnapshotMemory } from '../load/snapshot-memory.ts';
import { ComparedStores } from '../snapshot/compared-stores.ts';
import { IDS_PART } from '../snapshot/id-table.ts';
import { COMPARED_NAME, type PublishedManifest } from '../snapshot/manifest.ts';
import type { ReadContext } from '../storage/reading.ts';
import { StoreChanges } from './store-changes.ts';

/** Bytes of changes that are kept: enough for 100,000 changed stores. */
const CHANGES_BYTES = 8 * 1024 * 1024;

type Read = Promise<ArrayBuffer>;

/** Of ids and of compared stores, for the release before and the one after. */
type FourReads = readonly [Read, Read, Read, Read];

export class ChangeFinder {
  private readonly memory: SnapshotMemory;
  private readonly known = new BudgetCache<StoreChanges>(CHANGES_BYTES, ({ bytes }) => bytes);
  private readonly reads = new SharedReads((key) => this.known.get(key));

  constructor(memory: SnapshotMemory) {
    this.memory = memory;
  }

  /**
   * Returns what changed from `before` to `after`.
   * Rejections: ProblemError storage_unreachable, SnapshotFormatError.
   */
  async find(
    before: PublishedManifest,
    after: PublishedManifest,
    context: ReadContext,
  ): Promise<StoreChanges> {
    if (before.release === after.release) return StoreChanges.NONE;
    const key = `${before.release} ${after.release}`;
    const begin = () => {
      // All at once: their bytes take less time than a second wait for storage.
      const refs = [before, after].flatMap((manifest) => [
        partOf(manifest, IDS_PART.name),
        partOf(manifest, COMPARED_NAME),
      ]);
      const reads = this.memory.objects.read(refs, context, 1);
      return reads && [this.compare(key, before, after, reads as FourReads)];
    };
    const found = await context.storage.measureWait(this.reads.load([key], begin, context));
    return found.get(key) as StoreChanges;
  }

  /**
   * Copies the changes out of the parts, of which nothing is kept. Rejections: SnapshotFormatError,
   * as a read fails.
   */
  private async compare(
    key: string,
    before: PublishedManifest,
    after: PublishedManifest,
    reads: FourReads,
  ): Promise<StoreChanges> {
    const [oldIds, old, nextIds, next] = await Promise.all(reads);
    const changes = StoreChanges.between(
      new ComparedStores(old, IDS_PART.read(oldIds, before.storeCount)),
      new ComparedStores(next, IDS_PART.read(nextIds, after.storeCount)),
    );
    this.known.set(key, changes);
    this.memory.setAside(this.known.size);
    return changes;
  }
}
