/** The releases that a target keeps, and which of them is live. */
import { RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { Pointer, PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError, UsageError } from '../cli/command-error.ts';
import { forEachInFlight } from '../publish/in-flight.ts';
import { readPointer, readRelease } from '../publish/published-release.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { listWithdrawn } from '../publish/withdrawal.ts';

const READ_AT_ONCE = 16;

export interface KeptReleases {
  readonly pointer: Pointer | null;
  /** The latest publication first. */
  readonly releases: readonly PublishedRelease[];
  /** Ids of releases whose manifest is damaged or of another format version. */
  readonly unreadable: readonly string[];
  /** Ids of releases that somebody went back from. */
  readonly withdrawn: ReadonlySet<string>;
}

export async function readKeptReleases(target: SnapshotTarget): Promise<KeptReleases> {
  const ids: string[] = [];
  for await (const key of target.list(RELEASE_PREFIX)) ids.push(key.slice(RELEASE_PREFIX.length));
  const releases: PublishedRelease[] = [];
  const unreadable: string[] = [];
  await forEachInFlight(ids, READ_AT_ONCE, async (id) => {
    const release = await readRelease(target, id);
    if (release) releases.push(release);
    else unreadable.push(id);
  });
  return {
    pointer: await readPointer(target),
    releases: releases.sort(byPublication),
    unreadable: unreadable.sort(),
    withdrawn: await listWithdrawn(target),
  };
}

/**
 * The last release published before the live one went live, leaving out those that were withdrawn;
 * null when there is none. A release that is published again keeps the time of its first
 * publication, so it is the pointer that knows since when it is live.
 */
export function releaseBeforeLive({
  pointer,
  releases,
  withdrawn,
}: KeptReleases): PublishedRelease | null {
  if (!pointer) return null;
  const isEarlier = ({ release, publishedAt }: PublishedRelease) =>
    release !== pointer.release && publishedAt <= pointer.publishedAt && !withdrawn.has(release);
  return releases.find(isEarlier) ?? null;
}

/** Reads a release id, or the first digits of one, as given on the command line. @throws UsageError */
export function parseReleaseId(text: string): string {
  const id = text.toLowerCase();
  if (/^[0-9a-f]{4,16}$/.test(id)) return id;
  const form = '16 hexadecimal digits, or the first of them (at least 4; see snapshot list)';
  throw new UsageError(`got "${text}", expected the id of a release: ${form}`);
}

/**
 * The only release whose id begins with `start`.
 * @throws CommandError release_unknown, release_ambiguous
 */
export function findRelease({ releases }: KeptReleases, start: string): PublishedRelease {
  const [found, ...others] = releases.filter(({ release }) => release.startsWith(start));
  if (!found) {
    throw new CommandError(`no release ${start} is kept here`, { code: 'release_unknown' });
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ release }) => release);
    const message = `the id ${start} is ambiguous: ${ids.join(', ')}`;
    throw new CommandError(message, { code: 'release_ambiguous', details: { ids } });
  }
  return found;
}

/** Times are ISO 8601 in UTC, with milliseconds: their order is that of their texts. */
function byPublication(a: PublishedRelease, b: PublishedRelease): number {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return a.release < b.release ? -1 : 1;
}
