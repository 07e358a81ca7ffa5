/** What went live within the last day, as the day-ago guard takes it: read from the log. */
import type { Manifest } from '../../src/snapshot/manifest.ts';
import { readHistory, type Stay } from '../release/history.ts';
import type { LogEntry } from '../release/log-entry.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { DAY, type WentLive } from './day-ago.ts';
import { GUARD_CODES, type GuardCode } from './guards.ts';

export interface KeptEntry extends WentLive {
  readonly manifest: Manifest;
}

/** In the order of time, as far back as what was live a day before `now`. */
export async function readWentLive(
  { ledger }: SnapshotTarget,
  head: LogEntry | null,
  now: Date,
): Promise<KeptEntry[]> {
  const then = now.getTime() - DAY;
  const stays = await readHistory(ledger, head, (soFar) => {
    return (soFar.at(-1)?.from ?? Number.POSITIVE_INFINITY) <= then;
  });
  return stays.toReversed().map((stay) => ({
    release: stay.manifest.release,
    manifest: stay.manifest,
    since: new Date(stay.from).toISOString(),
    accepted: acceptedBy(stay),
  }));
}

/** A way back is what somebody wanted, whatever it changes. */
function acceptedBy({ kind, accepted = [] }: Stay): readonly GuardCode[] {
  if (kind === 'rollback') return GUARD_CODES;
  return GUARD_CODES.filter((code) => accepted.includes(code));
}
