/**
 * What is said of a publication besides its result. What it will cost at Cloudflare: writes, requests, time and
 * storage. And how it ends: the time of a run that came to its end is written down, and one that was
 * stopped from outside says whether its release is live.
 */
import { LAST_RUN_KEY } from '../../src/snapshot/keys.ts';
import type { LastRun } from '../../src/snapshot/manifest.ts';
import { totalBytes } from '../build/release-reader.ts';
import {
  CommandError,
  EXIT_FAILED,
  EXIT_INTERRUPTED,
  EXIT_OK,
  InterruptedError,
  messageOf,
} from '../cli/command-error.ts';
import { type PlaceOptions, placeName } from '../cli/common-options.ts';
import { formatBytes, formatCount, plural } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { Log } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { KEPT_TIME } from '../release/log-rule.ts';
import { tally } from '../release/objects.ts';
import { bringUpPointer, readLog } from '../release/open-log.ts';
import { OTHER_WRITES, type UploadPlan } from '../release/write-objects.ts';
import { encodeJson, type SnapshotTarget } from '../storage/key-value-store.ts';
import { openTarget } from '../storage/open-target.ts';

type PublishContext = Pick<CommandContext, 'signal' | 'remark'>;

/** The release that is to go live, by an entry of the log with a number above another one. */
export interface Wanted {
  /** Null: no work on storage has begun. */
  release: string | null;
  after: number;
}

/**
 * Returns what a publication that ended with `error` ends with.
 *
 * - When the work failed, or was refused, the message says where: a job may publish to two environments.
 * - When it was interrupted, the error says whether the release is live, and its exit code too: 0 if
 *   it is, 130 if it is not, 1 if that cannot be told, or the pointer, which is brought up here,
 *   cannot be written, or would lead to objects that are missing.
 */
export async function publicationError(
  error: unknown,
  wanted: Wanted,
  options: PublishPlace,
  context: PublishContext,
): Promise<unknown> {
  // Local storage may have heard the signal too, and failed before the work noticed it.
  if (error instanceof InterruptedError || context.signal.aborted) {
    return outcome(wanted, options, context);
  }
  const isRefusal = error instanceof CommandError && error.exitCode === EXIT_FAILED;
  return isRefusal && wanted.release !== null ? error.at(placeName(options)) : error;
}

interface PublishPlace extends PlaceOptions {
  readonly dryRun?: boolean;
}

/**
 * Writes the time of a run that came to its end: /healthz shows it, and notices when runs stay away. A run that found
 * nothing to change is a run, too. A release that is live is not called a failure where that cannot be written.
 */
export async function writeRun(
  target: SnapshotTarget,
  release: string,
  { remark }: Pick<PublishContext, 'remark'>,
): Promise<void> {
  try {
    // By the clock of R2: that of this machine may be days off, and a monitor would notice nothing.
    const run: LastRun = { ranAt: new Date(await target.ledger.now()).toISOString(), release };
    await target.objects.put(LAST_RUN_KEY, encodeJson(run));
  } catch (error) {
    const reason = messageOf(error);
    remark(`the time of this run could not be written, /healthz will not show it: ${reason}`);
  }
}

async function outcome(
  { release, after }: Wanted,
  options: PublishPlace,
  context: PublishContext,
): Promise<InterruptedError> {
  const place = placeName(options);
  const told = (words: string, live: boolean | null, exitCode: number) =>
    new InterruptedError(`${place}: ${words}`, { live }, exitCode);
  if (release === null || options.dryRun) {
    return told('nothing was published', false, EXIT_INTERRUPTED);
  }
  try {
    // Opened anew: what was open may have been interrupted, too.
    await using target = await openTarget(options, context);
    const { head, isShown } = await readLog(target);
    const live = head?.manifest.release ?? null;
    if (head && live === release && head.number > after) {
      const failure = isShown ? null : await bringUpPointer(target, head, {}).catch(messageOf);
      return failure === null
        ? told(`release ${release} is live all the same`, true, EXIT_OK)
        : told(`${failure}; run it again`, null, EXIT_FAILED);
    }
    const state = live === null ? 'nothing is' : `${live} is`;
    const words =
      live === release ? 'is live as it was before, not afresh' : `is not live, ${state}`;
    return told(`release ${release} ${words}`, false, EXIT_INTERRUPTED);
  } catch {
    const words = `whether release ${release} is live could not be read; see snapshot list`;
    return told(words, null, EXIT_FAILED);
  }
}

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
