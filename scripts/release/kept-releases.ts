/** The releases that are kept, as the log and what is condemned tell. */
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { CommandError, UsageError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type Condemned, readCondemned } from './condemned.ts';
import { History, type Stay } from './history.ts';
import type { LogEntry } from './log-entry.ts';

/** Releases that were live within this time are kept, milliseconds, and at least so many. */
export const KEPT_TIME = 8 * 24 * 3600_000;
export const LEAST_KEPT = 10;

export interface KeptRelease {
  readonly manifest: Manifest;
  /** The stay in which it went live last. */
  readonly stay: Stay;
}

export interface KeptReleases {
  readonly head: LogEntry | null;
  /** The one that was live last comes first. */
  readonly releases: readonly KeptRelease[];
  /** The log as far as it was read, the latest first. */
  readonly stays: readonly Stay[];
  readonly condemned: Condemned;
  /** When this was read, by the clock of the storage. */
  readonly readAt: number;
}

/**
 * Reads what is kept.
 * @param keep how many at least
 * @param entries how many entries of the log are wanted besides
 * @throws CommandError log_unreadable
 */
export async function readKeptReleases(
  target: SnapshotTarget,
  head: LogEntry | null,
  { keep = LEAST_KEPT, entries = 0 } = {},
): Promise<KeptReleases> {
  const { ledger } = target;
  const readAt = await ledger.now();
  const condemned = await readCondemned(ledger);
  const least = Math.max(keep, LEAST_KEPT);
  const stays = await new History(ledger, head).read((soFar) => {
    const isOld = (soFar.at(-1)?.from ?? readAt) < readAt - KEPT_TIME;
    return (
      isOld && soFar.length >= entries && choose(soFar, condemned, readAt, least).length >= least
    );
  });
  return { head, releases: choose(stays, condemned, readAt, least), stays, condemned, readAt };
}

/** Releases that were live of late, and at least `least`; those given up by a purge are none. */
function choose(
  stays: readonly Stay[],
  condemned: Condemned,
  now: number,
  least: number,
): KeptRelease[] {
  const purge = stays.findIndex(({ kind }) => kind === 'purge');
  const known = purge < 0 ? stays : stays.slice(0, purge + 1);
  const kept = new Map<string, KeptRelease>();
  for (const stay of known) {
    const { manifest, number, until } = stay;
    const { release } = manifest;
    if (kept.has(release) || condemned.hasRelease(release, number)) continue;
    const isLate = until === null || until >= now - KEPT_TIME;
    if (isLate || kept.size < least) kept.set(release, { manifest, stay });
  }
  return [...kept.values()];
}

/**
 * Reads what names a release on the command line: its id, the first digits of that, or its name. In
 * lower case. @throws UsageError
 */
export function parseReleaseId(text: string): string {
  const wanted = text.toLowerCase();
  if (/^([1-9]\d*-)?[0-9a-f]{4,16}$/.test(wanted)) return wanted;
  const form =
    '16 hexadecimal digits, or the first of them (at least 4), or its name (see snapshot list)';
  throw new UsageError(`got "${text}", expected the id of a release: ${form}`);
}

/**
 * The only release that `wanted` names: `parseReleaseId` has it. The number of a name counts too: the
 * release must have gone live under it.
 * @throws CommandError release_unknown, release_ambiguous
 */
export function findRelease({ releases, stays }: KeptReleases, wanted: string): KeptRelease {
  const [start = '', number] = wanted.split('-').reverse();
  const [found, ...others] = releases.filter(
    ({ manifest: { release } }) =>
      release.startsWith(start) && (number === undefined || isStay(stays, release, Number(number))),
  );
  if (!found) {
    const message = `no release ${wanted} is kept here; snapshot list shows those that are`;
    throw new CommandError(message, { code: 'release_unknown' });
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ manifest }) => manifest.release);
    const message = `the id ${start} is ambiguous: ${ids.join(', ')}`;
    throw new CommandError(message, { code: 'release_ambiguous', details: { ids } });
  }
  return found;
}

function isStay(stays: readonly Stay[], release: string, number: number): boolean {
  return stays.some((stay) => stay.number === number && stay.manifest.release === release);
}
