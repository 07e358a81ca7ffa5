/** Looks at what publishing a release would change, and refuses what looks like a bad export. */

import type { CompiledRelease } from '../build/compiled-release.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { compareWithLive, explainLive, isLiveUnreadable } from '../diff/compare-with-live.ts';
import { diffFigures, summarizeDiff } from '../diff/describe-diff.ts';
import type { ReleaseDiff } from '../diff/diff-releases.ts';
import type { History } from '../release/history.ts';
import type { Stay } from '../release/log-entry.ts';
import type { PublishedReleases } from '../release/published-objects.ts';
import { readDayAgo } from './day-ago.ts';
import {
  COMPARED_PARTS,
  type GuardReport,
  guardRelease,
  type ReleaseOfDayAgo,
} from './guard-release.ts';
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

/** What is there, for the new release to be held against. */
export interface Past {
  /** The log's last entry; null when nothing is live. */
  readonly head: Stay | null;
  readonly history: History;
  readonly published: PublishedReleases;
}

export interface Review {
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
  next: CompiledRelease,
  past: Past,
  options: ReviewOptions,
  context: CommandContext,
): Promise<Review> {
  const compared = await compareAndGuard(next, past, options, context).catch((error) => {
    if (options.force && isLiveUnreadable(error)) return { diff: null, guards: null };
    throw error;
  });
  const { diff, guards } = compared;
  context.progress.end();
  context.remark(diff ? summarizeDiff(diff) : 'The live release cannot be read: nothing compared');
  if (!options.force && guards && diff) refuse(guards, { diff: diffFigures(diff) });
  const acceptsAll = options.replacesAll || diff === null;
  return { diff, guards, accepted: acceptsAll ? GUARD_CODES : (guards?.accepted ?? []) };
}

async function compareAndGuard(
  next: CompiledRelease,
  past: Past,
  { limits, now, replacesAll = false, mostRead }: ReviewOptions,
  { progress, signal }: Pick<CommandContext, 'progress' | 'signal'>,
) {
  const { head, published } = past;
  const live = head && published.open(head.manifest);
  const isSame = head?.manifest.release === next.manifest.release;
  const dayAgo = isSame || replacesAll ? null : await readReleases(past, now);
  const diff = await compareWithLive(live, next, { progress, signal, mostRead });
  if (isSame) return { diff, guards: null };
  const guarded = { next, live: replacesAll ? null : live, limits, dayAgo };
  return { diff, guards: await explainLive(live, () => guardRelease(guarded)) };
}

/** Opens the release of a day ago, and reads it and the live one as far as they are compared. */
async function readReleases(
  { head, history, published }: Past,
  now: Date,
): Promise<ReleaseOfDayAgo | null> {
  const dayAgo = await readDayAgo(history, now);
  const manifests = [head?.manifest ?? [], dayAgo?.manifest ?? []].flat();
  await published.fetch(manifests, COMPARED_PARTS);
  return dayAgo && { release: published.open(dayAgo.manifest), exempt: dayAgo.exempt };
}
