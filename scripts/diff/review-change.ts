/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import { formatCount } from '../cli/progress.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import { openPublished } from '../release/published-objects.ts';
import { isPointerUnreadable, readPointer } from '../release/published-release.ts';
import { readWithdrawal } from '../release/withdrawal.ts';
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
  /** The pointer that everything was looked at against; null when nothing is live. */
  readonly pointer: Pointer | null;
  /** Null when the live release cannot be read, which only `force` allows. */
  readonly diff: ReleaseDiff | null;
}

/**
 * Compares `next` with what is live and tells the summary as a remark.
 * @throws CommandError live_unreadable, suspicious_change, release_withdrawn, unless `force` is given
 */
export async function reviewChange(
  target: SnapshotTarget,
  next: CompiledRelease,
  options: ReviewOptions,
  context: CommandContext,
): Promise<Review> {
  const pointer = await readPointer(target);
  const diff = await compareWithLive(target, pointer, next, options, context).catch((error) => {
    if (options.force && isLiveUnreadable(error)) return null;
    throw error;
  });
  context.progress.end();
  context.remark(diff ? summarizeDiff(diff) : 'The live release cannot be read: nothing compared');
  if (!options.force) {
    if (diff) refuseRemovals(diff, options.maxRemoved);
    await refuseWithdrawn(target, next, pointer);
  }
  return { pointer, diff };
}

/**
 * What `next` would change against what `pointer` names.
 * @throws CommandError live_unreadable
 */
export async function compareWithLive(
  target: SnapshotTarget,
  pointer: Pointer | null,
  next: CompiledRelease,
  { mostRead }: Pick<ReviewOptions, 'mostRead'>,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
): Promise<ReleaseDiff> {
  const options = { progress, signal, mostRead };
  if (!pointer) {
    if (await isPointerUnreadable(target)) throw liveUnreadable('its pointer cannot be read');
    return compareReleases(null, next, options);
  }
  const { release } = pointer.manifest;
  if (release === next.manifest.release) return compareReleases(next, next, options);
  try {
    return await compareReleases(openPublished(target, pointer.manifest), next, options);
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

async function refuseWithdrawn(
  target: SnapshotTarget,
  { manifest }: CompiledRelease,
  pointer: Pointer | null,
): Promise<void> {
  const { release } = manifest;
  if (pointer?.manifest.release === release) return;
  const withdrawal = await readWithdrawal(target, release);
  if (!withdrawal) return;
  const { by, at } = withdrawal;
  const message = `release ${release} was withdrawn by ${by}, ${at}: somebody went back from exactly these stores; --force publishes them again`;
  throw new CommandError(message, { code: 'release_withdrawn', details: { release, by, at } });
}

function liveUnreadable(reason: string, cause?: unknown): CommandError {
  const message = `the live release cannot be compared with: ${reason}; publish --force replaces it`;
  return new CommandError(message, { code: 'live_unreadable', cause });
}

function isLiveUnreadable(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'live_unreadable';
}
