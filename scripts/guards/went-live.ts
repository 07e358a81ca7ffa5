/** What went live, and when, as the day-ago guard takes it: read from what a target keeps. */
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import type { Stay } from '../publish/history.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { readKeptReleases } from '../releases/kept-releases.ts';
import type { WentLive } from './day-ago.ts';
import { GUARD_CODES, type GuardCode } from './guards.ts';

export interface KeptEntry extends WentLive {
  readonly manifest: PublishedRelease;
}

/** In the order of time. Releases that somebody went back from are nothing to compare with. */
export async function readWentLive(target: SnapshotTarget): Promise<KeptEntry[]> {
  const { releases, stays, withdrawn } = await readKeptReleases(target);
  const entries = releases.flatMap((manifest): KeptEntry[] => {
    const { release } = manifest;
    const stay = stays.get(release);
    if (!stay || withdrawn.has(release)) return [];
    return [{ release, manifest, since: stay.since, accepted: acceptedBy(stay) }];
  });
  return entries.sort((a, b) => (a.since < b.since ? -1 : 1));
}

function acceptedBy({ accepted = [] }: Stay): readonly GuardCode[] {
  if (accepted === 'all') return GUARD_CODES;
  return GUARD_CODES.filter((code) => accepted.includes(code));
}
