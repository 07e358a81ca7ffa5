/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import type { CommandContext } from '../cli/run-command.ts';
import type { ReleaseDiff } from '../diff/compare-releases.ts';
import { compareWithLive, explainLive, isLiveUnreadable } from '../diff/compare-with-live.ts';
import { diffFigures, summarizeDiff } from '../diff/describe-diff.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { readLive } from '../release/open-log.ts';
import { openPublished } from '../release/published-objects.ts';
import { rememberParts } from '../release/remember-parts.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type GuardReport, guardRelease } from './guard-release.ts';
import { GUARD_CODES, type GuardCode, type Limits } from './guards.ts';
import { refuse } from './refuse.ts';

export interface ReviewOptions {
  /** How far each guard lets things go. */
  readonly limits: Limits;
  /** Whether what is live may go: to be judged as a first publication is. */
  readonly replacesAll?: boolean;
  readonly now: Date;
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
  /** Null when there was nothing to guard: the same stores again, or nothing that can be read. */
  readonly guards: GuardReport | null;
  /** Guards over whose default limits this goes, should it be published. */
  readonly accepted: readonly GuardCode[];
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
  const compared = await compareAndGuard(target, live, next, options, context).catch((error) => {
    if (options.force && isLiveUnreadable(error)) return { diff: null, guards: null };
    throw error;
  });
  const { diff, guards } = compared;
  context.progress.end();
  context.remark(diff ? summarizeDiff(diff) : 'The live release cannot be read: nothing compared');
  if (!options.force && guards && diff) refuse(guards, { diff: diffFigures(diff) });
  const acceptsAll = options.replacesAll || diff === null;
  return { live, diff, guards, accepted: acceptsAll ? GUARD_CODES : (guards?.accepted ?? []) };
}

async function compareAndGuard(
  target: SnapshotTarget,
  head: LogEntry | null,
  next: CompiledRelease,
  { limits, now, replacesAll = false, mostRead }: ReviewOptions,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
  // Both look at the same index parts.
  const release = rememberParts(next);
  const live = head && rememberParts(openPublished(target, head.manifest));
  const diff = await compareWithLive(target, live, release, { progress, signal, mostRead });
  if (diff.live === diff.release) return { diff, guards: null };
  const guarded = { next: release, live: replacesAll ? null : live, limits, head, now };
  return { diff, guards: await explainLive(live, () => guardRelease(target, guarded)) };
}
