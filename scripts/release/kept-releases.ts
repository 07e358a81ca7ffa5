/** The releases that a target keeps, and which of them is live. */
import { RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { Pointer, PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError, UsageError } from '../cli/command-error.ts';
import { forEachInFlight } from '../storage/in-flight.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readStay, type Stay, stayOf } from './history.ts';
import { readPointer, readRelease } from './published-release.ts';
import { listWithdrawn } from './withdrawal.ts';

const READ_AT_ONCE = 16;

export interface KeptReleases {
  readonly pointer: Pointer | null;
  /** The one that went live last comes first; those that never did come after all others. */
  readonly releases: readonly PublishedRelease[];
  /** When they went live last, by id. */
  readonly stays: ReadonlyMap<string, Stay>;
  /** Ids of releases whose manifest is damaged or of another format version. */
  readonly unreadable: readonly string[];
  /** Ids of releases that somebody went back from. */
  readonly withdrawn: ReadonlySet<string>;
}

export async function readKeptReleases(target: SnapshotTarget): Promise<KeptReleases> {
  const ids: string[] = [];
  for await (const key of target.list(RELEASE_PREFIX)) ids.push(key.slice(RELEASE_PREFIX.length));
  const pointer = await readPointer(target);
  const releases: PublishedRelease[] = [];
  const unreadable: string[] = [];
  const stays = new Map<string, Stay>();
  await forEachInFlight(ids, READ_AT_ONCE, async (id) => {
    const release = await readRelease(target, id);
    if (release) releases.push(release);
    else unreadable.push(id);
    const recorded = await readStay(target, id);
    const stay = id === pointer?.manifest.release ? stayOf(pointer, recorded) : recorded;
    if (stay) stays.set(id, stay);
  });
  return {
    pointer,
    releases: releases.sort((a, b) => compareByLife(a, b, stays)),
    stays,
    unreadable: unreadable.sort(),
    withdrawn: await listWithdrawn(target),
  };
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
function compareByLife(
  a: PublishedRelease,
  b: PublishedRelease,
  stays: ReadonlyMap<string, Stay>,
): number {
  const [lifeOfA, lifeOfB] = [a, b].map(({ release }) => stays.get(release)?.since ?? '');
  if (lifeOfA !== lifeOfB) return (lifeOfA ?? '') < (lifeOfB ?? '') ? 1 : -1;
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? 1 : -1;
  return a.release < b.release ? -1 : 1;
}
