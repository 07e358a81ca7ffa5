/** Looks at what publishing a release would change, and refuses what looks like a bad export. */
import type { Pointer } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { ReleaseDiff } from '../diff/compare-releases.ts';
import { compareWithLive, explainLive, isLiveUnreadable } from '../diff/compare-with-live.ts';
import { diffFigures, summarizeDiff } from '../diff/describe-diff.ts';
import type { CompiledRelease } from '../publish/compiled-release.ts';
import { readPointer } from '../publish/published-release.ts';
import type { SnapshotTarget } from '../publish/snapshot-target.ts';
import { readWithdrawal } from '../publish/withdrawal.ts';
import { openPublished } from '../releases/published-objects.ts';
import { rememberParts } from '../releases/remember-parts.ts';
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
  /** The pointer that everything was looked at against; null when nothing is live. */
  readonly pointer: Pointer | null;
  /** Null when the live release cannot be read, which only `force` allows. */
  readonly diff: ReleaseDiff | null;
  /** Null when there was nothing to guard: the same stores again, or nothing that can be read. */
  readonly guards: GuardReport | null;
  /** Guards over whose default limits this goes, should it be published. */
  readonly accepted: readonly GuardCode[];
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
  const compared = await compareAndGuard(target, pointer, next, options, context).catch((error) => {
    if (options.force && isLiveUnreadable(error)) return { diff: null, guards: null };
    throw error;
  });
  const { diff, guards } = compared;
  context.progress.end();
  context.remark(diff ? summarizeDiff(diff) : 'The live release cannot be read: nothing compared');
  if (!options.force) {
    if (guards && diff) refuse(guards, { diff: diffFigures(diff) });
    await refuseWithdrawn(target, next, pointer);
  }
  const acceptsAll = options.replacesAll || diff === null;
  return { pointer, diff, guards, accepted: acceptsAll ? GUARD_CODES : (guards?.accepted ?? []) };
}

async function compareAndGuard(
  target: SnapshotTarget,
  pointer: Pointer | null,
  next: CompiledRelease,
  { limits, now, replacesAll = false, mostRead }: ReviewOptions,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
  // Both look at the same index parts.
  const release = rememberParts(next);
  const live = pointer && rememberParts(openPublished(target, pointer.manifest));
  const diff = await compareWithLive(target, live, release, { progress, signal, mostRead });
  if (diff.live === diff.release) return { diff, guards: null };
  const guarded = { next: release, live: replacesAll ? null : live, limits, now };
  return { diff, guards: await explainLive(live, () => guardRelease(target, guarded)) };
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
