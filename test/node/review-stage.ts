/** The review of a release before it is published, against what is live then. */
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import {
  type Review,
  type ReviewOptions,
  reviewChange,
} from '../../scripts/guards/review-change.ts';
import type { CompiledRelease } from '../../scripts/release/compiled-release.ts';
import { History } from '../../scripts/release/history.ts';
import type { LogEntry } from '../../scripts/release/log-entry.ts';
import { readLive } from '../../scripts/release/open-log.ts';
import { PublishedReleases } from '../../scripts/release/published-objects.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';

/** Reviews `next` and tells what was live, too. */
export async function reviewNow(
  target: SnapshotTarget,
  next: CompiledRelease,
  options: ReviewOptions,
  context: CommandContext,
): Promise<Review & { readonly live: LogEntry | null }> {
  const live = await readLive(target);
  const history = new History(target.ledger, live);
  const past = { head: live, history, published: new PublishedReleases(target) };
  return { live, ...(await reviewChange(target, next, past, options, context)) };
}
