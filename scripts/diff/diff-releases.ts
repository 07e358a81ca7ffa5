/** Which stores differ between two releases, as the index parts tell. */
import { isDeepStrictEqual } from 'node:util';
import { compareReleases } from '../../src/query/store-changes.ts';
import type { StoreName } from '../../src/snapshot/compared-stores.ts';
import type { Manifest } from '../../src/snapshot/manifest.ts';
import type { ReleaseReader } from '../build/release-reader.ts';
import { CommandError } from '../cli/command-error.ts';

/** A store of the later release, by its ordinals; `before` is null where it was added. */
export interface StorePair<Before = number | null> extends StoreName {
  readonly before: Before;
  readonly after: number;
}

/** Where a changed store differs. */
export interface ChangedFields {
  /** In contract order, without the deprecated ones. */
  readonly fields: readonly string[];
  /** The dotted path of the only value that differs, `*` for any element of a list; null: several do. */
  readonly soleField: string | null;
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
    added: [] as StorePair<null>[],
    removed: [] as StoreName[],
    changed: [] as StorePair<number>[],
    /** What `readChanges` has found in changed stores: in all, or in a sample. */
    lookedAt: [] as ChangedFields[],
  };
  // Equal ids stand for equal content, whatever has become of the objects.
  if (diff.live === release) return diff;
  const is = await next.compared();
  const was = await live?.compared();
  const pairs = was
    ? compareReleases(was, is)
    : Array.from({ length: stores }, (_, after) => ({ before: null, after }));
  for (const { before, after } of pairs) {
    if (after === null) diff.removed.push(was?.names.name(before as number) as StoreName);
    else if (before === null) diff.added.push({ ...is.names.name(after), before, after });
    else diff.changed.push({ ...is.names.name(after), before, after });
  }
  return diff;
}

/**
 * Returns a handler for errors of a comparison, which tells damage of the live release from damage of another.
 * The handler throws CommandError live_unreadable in place of the former, and others as they are.
 */
export function explainLive(live: { readonly manifest: Manifest } | null) {
  return (error: unknown): never => {
    const { code, details, message } = error as CommandError;
    const isOfLive =
      code === 'release_damaged' && isDeepStrictEqual(details, { release: live?.manifest.release });
    if (!isOfLive) throw error;
    const words = `the live release cannot be compared with: ${message}; publish --force --afresh replaces it`;
    throw new CommandError(words, 'live_unreadable', { cause: error });
  };
}
