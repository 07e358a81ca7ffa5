/** Which stores differ between two releases, as the index parts tell. */
import { compareReleases } from '../../src/query/store-changes.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';

/** A store of both releases, by its ordinals, as the later one names it. */
export interface StorePair extends StoreName {
  readonly before: number;
  readonly after: number;
}

export type ReleaseDiff = Awaited<ReturnType<typeof diffReleases>>;

/**
 * Lists the stores that were added, removed, and changed, in order of id. What is held in memory grows
 * with the number of stores, never with their size.
 * @param live null: no release is live
 * @throws CommandError release_damaged when a release cannot be read
 */
export async function diffReleases(live: ReleaseReader | null, next: ReleaseReader) {
  const { release, storeCount: stores } = next.manifest;
  const diff = {
    /** The release that is live, and null when none is. */
    live: live?.manifest.release ?? null,
    release,
    liveStores: live?.manifest.storeCount ?? 0,
    stores,
    added: [] as StoreName[],
    removed: [] as StoreName[],
    changed: [] as StorePair[],
  };
  // Equal ids stand for equal content, whatever has become of the objects.
  if (diff.live === release) return diff;
  const is = await next.compared();
  if (!live) {
    for (let store = 0; store < stores; store++) diff.added.push(is.names.name(store));
    return diff;
  }
  const was = await live.compared();
  for (const { before, after } of compareReleases(was, is)) {
    if (before === null) diff.added.push(is.names.name(after as number));
    else if (after === null) diff.removed.push(was.names.name(before));
    else diff.changed.push({ ...is.names.name(after), before, after });
  }
  return diff;
}

/**
 * Runs `work` and tells damage of the live release from damage of another.
 * @throws CommandError live_unreadable
 */
export async function explainLive<T>(
  live: { readonly manifest: Manifest } | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'release_damaged') throw error;
    const { details } = error;
    const isOfLive = 'release' in details && details.release === live?.manifest.release;
    if (!isOfLive) throw error;
    const message = `the live release cannot be compared with: ${error.message}; publish --force --afresh replaces it`;
    throw new CommandError(message, 'live_unreadable', { cause: error });
  }
}
