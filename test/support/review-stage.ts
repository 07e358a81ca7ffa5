/** The review of a release before it is published, against what is live then. */

import type { CompiledRelease } from '../../scripts/build/compiled-release.ts';
import type { CommandContext } from '../../scripts/cli/run-command.ts';
import {
  type Review,
  type ReviewOptions,
  reviewChange,
} from '../../scripts/guards/review-change.ts';
import { type Seen, see } from '../../scripts/release/publication.ts';
import type { SnapshotTarget } from '../../scripts/storage/key-value-store.ts';

/** What a publication that begins now goes by. */
export const seeNow = (target: SnapshotTarget): Promise<Seen> => see(target, { dryRun: true });

/** Reviews `next` and tells what it went by, too. */
export async function reviewNow(
  target: SnapshotTarget,
  next: CompiledRelease,
  options: ReviewOptions,
  context: CommandContext,
): Promise<Review & { readonly seen: Seen }> {
  const seen = await seeNow(target);
  return { seen, ...(await reviewChange(next, seen, options, context)) };
}
