/**
 * Compares two releases and keeps what came of it, so that the pages of a walk, and partners who ask
 * for the same, cost one comparison. Of a comparison little is left, and the room for reads lets few
 * be made at a time: the parts of two releases of 100,000 stores fill it.
 */

import { ByteBudgetCache } from '../cache/byte-budget-cache.ts';
import { type ObjectReads, partOf, type WantedObject } from '../load/object-reader.ts';
import type { ReadContext } from '../load/read-context.ts';
import { SharedReads } from '../load/shared-reads.ts';
import type { SnapshotMemory } from '../load/snapshot-memory.ts';
import { ComparedStores } from '../snapshot/compared-stores.ts';
import { IDS_PART } from '../snapshot/id-table.ts';
import { COMPARED_NAME, type PublishedManifest } from '../snapshot/manifest.ts';
import { StoreChanges } from './store-changes.ts';

/** Bytes of changes that are kept: those of 100,000 stores that all have changed. */
const CHANGES_BYTES = 8 * 1024 * 1024;

export class ChangeFinder {
  private readonly memory: SnapshotMemory;
  private readonly known = new ByteBudgetCache<StoreChanges>(CHANGES_BYTES, ({ bytes }) => bytes);
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
      const refs = [...refsOf(before), ...refsOf(after)];
      const reads = this.memory.objects.readApart(refs, context);
      return reads && [this.keep(key, changesOf(before, after, reads))];
    };
    const found = await context.storage.waitFor(this.reads.load([key], begin, context));
    return found.get(key) as StoreChanges;
  }

  private async keep(key: string, found: Promise<StoreChanges>): Promise<StoreChanges> {
    const changes = await found;
    this.known.set(key, changes);
    this.memory.setAside(this.known.bytes);
    return changes;
  }
}

/** @throws SnapshotFormatError */
function refsOf(manifest: PublishedManifest): WantedObject[] {
  return [IDS_PART.name, COMPARED_NAME].map((name) => partOf(manifest, name));
}

/** Copies the changes out of the parts, of which nothing is kept. Rejections: SnapshotFormatError, as a read fails. */
async function changesOf(
  before: PublishedManifest,
  after: PublishedManifest,
  reads: ObjectReads,
): Promise<StoreChanges> {
  const [old, next] = await Promise.all([openStores(before, reads), openStores(after, reads)]);
  return StoreChanges.between(old, next);
}

async function openStores(
  manifest: PublishedManifest,
  reads: ObjectReads,
): Promise<ComparedStores> {
  const parts = refsOf(manifest).map(({ hash }) => reads.get(hash) as Promise<ArrayBuffer>);
  const [ids, compared] = (await Promise.all(parts)) as [ArrayBuffer, ArrayBuffer];
  return new ComparedStores(compared, IDS_PART.read(ids, manifest.storeCount));
}
