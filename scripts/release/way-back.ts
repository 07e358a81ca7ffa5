/** The way back from a release: what was live before it, and before that. */
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import type { KeptReleases } from './kept-releases.ts';

/**
 * The release that was live before the live one was published, leaving out those that were
 * withdrawn; null when there is none.
 */
export function releaseBeforeLive(kept: KeptReleases): PublishedRelease | null {
  const { pointer, releases, withdrawn } = kept;
  if (!pointer) return null;
  for (const id of wayBack(kept, pointer.manifest.release)) {
    const found = releases.find(({ release }) => release === id);
    if (found && !withdrawn.has(id)) return found;
  }
  return null;
}

/** Whether going from the live release to `to` is going back, not forward again. */
export function isWayBack(kept: KeptReleases, to: PublishedRelease): boolean {
  const { pointer, stays } = kept;
  if (!pointer) return false;
  if (wayBack(kept, pointer.manifest.release).includes(to.release)) return true;
  if (wayBack(kept, to.release).includes(pointer.manifest.release)) return false;
  // Neither came after the other: the older one is back, and what never was live goes by its age.
  return (stays.get(to.release)?.since ?? to.publishedAt) <= pointer.publishedAt;
}

/** Ids of releases, the one before `release` first; no release twice. */
function wayBack(kept: KeptReleases, release: string): string[] {
  const way: string[] = [];
  let id = releaseBefore(kept, release);
  while (id !== null && id !== release && !way.includes(id)) {
    way.push(id);
    id = releaseBefore(kept, id);
  }
  return way;
}

function releaseBefore({ stays }: KeptReleases, release: string): string | null {
  const stay = stays.get(release);
  if (!stay) return null;
  if (stay.after !== undefined) return stay.after;
  const earlier = [...stays].filter(([id, { since }]) => id !== release && since < stay.since);
  return earlier.toSorted(([, a], [, b]) => (a.since < b.since ? 1 : -1))[0]?.[0] ?? null;
}
