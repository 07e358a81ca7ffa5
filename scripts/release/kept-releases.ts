/** The releases that are kept, and how a command names one of them. */
import { CommandError } from '../cli/command-error.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { readStays } from './history.ts';
import type { Stay } from './log-entry.ts';
import { isEnough, judgeLog, type LogRule } from './log-rule.ts';

export interface KeptReleases extends LogRule {
  readonly head: Stay | null;
  /** The log as far as it was read, the latest first. */
  readonly stays: readonly Stay[];
}

/**
 * Reads what is kept.
 * @param entries how many entries of the log are wanted besides
 * @throws CommandError log_unreadable
 */
export async function readKeptReleases(
  { ledger }: SnapshotTarget,
  head: Stay | null,
  entries = 0,
): Promise<KeptReleases> {
  const stays = await readStays(
    ledger,
    head,
    (soFar) => soFar.length >= entries && isEnough(soFar),
  );
  return { head, stays, ...judgeLog(stays) };
}

/**
 * The stay in which the only release that `wanted` names was live last: `parseReleaseId` has it. Of one
 * that lies in two generations it is the later. The number of a name counts too: the release must have
 * gone live under it.
 * @throws CommandError release_unknown, release_ambiguous
 */
export function findRelease({ kept, stays }: KeptReleases, wanted: string): Stay {
  const [start = '', number] = wanted.split('-').reverse();
  const found = kept.filter(
    ({ manifest: { release } }) =>
      release.startsWith(start) && (number === undefined || isStay(stays, release, Number(number))),
  );
  const [first] = found;
  if (!first) {
    const message = `no release ${wanted} is kept here; snapshot list shows those that are`;
    throw new CommandError(message, { code: 'release_unknown' });
  }
  const ids = [...new Set(found.map(({ manifest }) => manifest.release))];
  if (ids.length > 1) {
    const message = `the id ${start} is ambiguous: ${ids.join(', ')}`;
    throw new CommandError(message, { code: 'release_ambiguous', details: { ids } });
  }
  return first;
}

function isStay(stays: readonly Stay[], release: string, number: number): boolean {
  return stays.some((stay) => stay.number === number && stay.manifest.release === release);
}
