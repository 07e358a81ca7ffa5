/** What a publication to Cloudflare will cost: writes, requests, time and storage. */
import { totalBytes } from '../build/release-reader.ts';
import { formatBytes, formatCount, plural } from '../cli/progress.ts';
import type { Log } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { KEPT_TIME } from '../release/log-rule.ts';
import { tally } from '../release/objects.ts';
import { OTHER_WRITES, type UploadPlan } from '../release/write-objects.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';

const DAY = 24 * 3600_000;

type CostEstimate = NonNullable<Awaited<ReturnType<typeof estimateCost>>>;

/**
 * What the rest of a publication will cost; null on this machine, where nothing is counted.
 * @param now by the clock of the storage, milliseconds since 1970
 */
export async function estimateCost(
  { objects: store }: SnapshotTarget,
  plan: UploadPlan,
  log: Log,
  now: number,
) {
  const uploads = tally(plan.missing);
  const price = store.price?.(uploads.objects, uploads.bytes);
  if (!price) return null;
  const entries = await log.entries();
  const recent = (time: number) => entries.filter(({ from }) => from >= now - time);
  const writes = uploads.objects + OTHER_WRITES;
  return {
    ...price,
    uploads,
    writes,
    /** Writes of the last 24 hours, as the log has them, this publication included. */
    writesInDay: writes + sum(recent(DAY), ({ cost }) => cost?.writes ?? 0),
    /** Bytes of all that was uploaded within eight days, this publication and what was there included. */
    storedBytes: uploads.bytes + storedBefore(entries, recent(KEPT_TIME)),
  };
}

/** What was live eight days ago, and all that was uploaded since. */
function storedBefore(entries: readonly LogEntry[], recent: readonly LogEntry[]): number {
  const first = entries[recent.length];
  const start = first ? totalBytes(first.manifest) : 0;
  return start + sum(recent, ({ cost }) => cost?.bytes ?? 0);
}

function sum(entries: readonly LogEntry[], of: (entry: LogEntry) => number): number {
  return entries.reduce((total, entry) => total + of(entry), 0);
}

export function describeCost(cost: CostEstimate): string[] {
  const { writes, requests, seconds, uploads, writesInDay, freeWrites, storedBytes } = cost;
  const time = seconds < 60 ? 'less than a minute' : `about ${Math.ceil(seconds / 60)} minutes`;
  const lines = [
    `Costs ${plural(writes, 'write')}, ${plural(requests, 'request')}, ${formatBytes(uploads.bytes)}, ${time} at the pace that is allowed; with what is kept for eight days, ${formatBytes(storedBytes)} are stored`,
  ];
  if (freeWrites !== null && writesInDay > freeWrites) {
    lines.push(
      `warning: ${plural(writesInDay, 'write')} within 24 hours; a day of the free plan has ${formatCount(freeWrites)}`,
    );
  }
  return lines;
}
