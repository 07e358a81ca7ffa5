/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import { CommandError } from '../cli/command-error.ts';
import { formatCount } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { readLive } from '../release/open-log.ts';
import { isPointerUnreadable } from '../release/pointer-copy.ts';
import { openPublished } from '../release/published-objects.ts';
import { plural } from '../source/format-faults.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { compareReleases, type ReleaseDiff } from './compare-releases.ts';
import { diffFigures, summarizeDiff } from './describe-diff.ts';

export interface ReviewOptions {
  /** Percent of the live stores that may be removed. */
  readonly maxRemoved: number;
  /** Whether anything may be published, however it looks. */
  readonly force: boolean;
  /** See `CompareOptions`. */
  readonly mostRead: number;
}

export interface Review {
  /** The log's entry that everything was looked at against; null when nothing is live. */
  readonly live: LogEntry | null;
  /** Null when the live release cannot be read, which only `force` allows. */
  readonly diff: ReleaseDiff | null;
}

/**
 * Compares `next` with what is live and tells the summary as a remark.
 * @throws CommandError live_unreadable, suspicious_change, unless `force` is given
 */
export async function reviewChange(
  target: SnapshotTarget,
  next: CompiledRelease,
  options: ReviewOptions,
  context: CommandContext,
): Promise<Review> {
  const live = await readLive(target);
  const diff = await compareWithLive(target, live, next, options, context).catch((error) => {
    if (options.force && isLiveUnreadable(error)) return null;
    throw error;
  });
  context.progress.end();
  context.remark(diff ? summarizeDiff(diff) : 'The live release cannot be read: nothing compared');
  if (!options.force && diff) refuseRemovals(diff, options.maxRemoved);
  return { live, diff };
}

/**
 * What `next` would change against what is live.
 * @throws CommandError live_unreadable
 */
export async function compareWithLive(
  target: SnapshotTarget,
  live: LogEntry | null,
  next: CompiledRelease,
  { mostRead }: Pick<ReviewOptions, 'mostRead'>,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
): Promise<ReleaseDiff> {
  const options = { progress, signal, mostRead };
  if (!live) {
    if (await isPointerUnreadable(target)) throw liveUnreadable('its pointer cannot be read');
    return compareReleases(null, next, options);
  }
  const { release } = live.manifest;
  if (release === next.manifest.release) return compareReleases(next, next, options);
  try {
    return await compareReleases(openPublished(target, live.manifest), next, options);
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'release_damaged') throw error;
    const isOfLive = 'release' in error.details && error.details.release === release;
    throw isOfLive ? liveUnreadable(error.message, error) : error;
  }
}

function refuseRemovals(diff: ReleaseDiff, maxRemoved: number): void {
  const removed = diff.removed.length;
  if (removed <= (diff.liveStores * maxRemoved) / 100) return;
  const share = `${formatCount(removed)} of ${plural(diff.liveStores, 'live store')}`;
  const percent = Math.round((1000 * removed) / diff.liveStores) / 10;
  throw new CommandError(
    `${share} (${percent} %) would go, more than ${maxRemoved} %; nothing was published, --force publishes it all the same`,
    {
      code: 'suspicious_change',
      details: { maxRemoved, diff: diffFigures(diff) },
      explanation:
        'Is the export complete? snapshot diff names the stores.\n' +
        'If they are to go, give --force, or raise --max-removed for every run.',
    },
  );
}

function liveUnreadable(reason: string, cause?: unknown): CommandError {
  const message = `the live release cannot be compared with: ${reason}; publish --force replaces it`;
  return new CommandError(message, { code: 'live_unreadable', cause });
}

function isLiveUnreadable(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'live_unreadable';
}
