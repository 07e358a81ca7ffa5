/** What going back to a release would show again: stores that were removed or hidden since. */

import { IDS_PART } from '../../src/snapshot/id-table.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { PLACES_PART } from '../../src/snapshot/place-table.ts';
import { ReleaseReader } from '../build/release-reader.ts';
import { openPublished } from '../release/published-objects.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';

export interface Returning {
  /** Ids of stores that the live release lacks. */
  readonly removed: readonly string[];
  /** Ids of stores whose address the live release does not show. */
  readonly hidden: readonly string[];
}

/** @throws CommandError release_damaged */
export async function findReturning(
  target: SnapshotTarget,
  live: PublishedManifest,
  earlier: PublishedManifest,
): Promise<Returning> {
  const shownNow = await readShown(target, live);
  const shownThen = await readShown(target, earlier);
  const removed: string[] = [];
  const hidden: string[] = [];
  for (const [id, hasPlace] of shownThen) {
    const now = shownNow.get(id);
    if (now === undefined) removed.push(id);
    else if (hasPlace && !now) hidden.push(id);
  }
  return { removed, hidden };
}

/** Ids of the stores of a release, and whether each shows an address. */
async function readShown(
  target: SnapshotTarget,
  manifest: PublishedManifest,
): Promise<Map<string, boolean>> {
  const reader = new ReleaseReader(openPublished(target, manifest));
  const ids = await reader.table(IDS_PART);
  const placed = new Set((await reader.table(PLACES_PART)).store);
  const shown = new Map<string, boolean>();
  for (let store = 0; store < ids.count; store++) shown.set(ids.text(store), placed.has(store));
  return shown;
}
