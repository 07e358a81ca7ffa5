/**
 * Publishes a release as `snapshot publish` does: not while publishing is held, with what is live
 * mended first, and not if it looks like a bad export.
 */
import type { CommandContext } from '../cli/run-command.ts';
import { type DiffFigures, diffFigures } from '../diff/describe-diff.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import { type CostEstimate, estimateCost } from '../release/estimate-cost.ts';
import type { LogEntry, Signature } from '../release/log-entry.ts';
import { type Mending, mendLive } from '../release/mend-live.ts';
import { readLive } from '../release/open-log.ts';
import type { PublicationPlan } from '../release/plan-publication.ts';
import {
  type Publication,
  publishRelease,
  refuseHeld,
  rehearsePublication,
} from '../release/publish-release.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { Clock } from '../storage/pace.ts';
import type { GuardReport } from './guard-release.ts';
import type { Limits } from './guards.ts';
import { reviewChange } from './review-change.ts';

export interface GuardedOptions {
  readonly signature: Signature;
  /** How far each guard lets things go. */
  readonly limits: Limits;
  /** Whether anything may be published, however it looks. */
  readonly force: boolean;
  /** Whether a hold that stands is lifted with this publication. */
  readonly resume: boolean;
  /** Whether nothing is to be written. */
  readonly dryRun: boolean;
  /** Whether what is live may go, and be judged as if nothing were. */
  readonly replacesAll: (target: SnapshotTarget) => Promise<boolean>;
  /** See `CompareOptions`. */
  readonly mostRead: number;
  readonly clock?: Clock;
}

/** What is told while it goes on. */
export interface GuardedEvents {
  readonly onMended: (mending: Mending) => void;
  readonly onCost: (cost: CostEstimate) => void;
}

export interface GuardedPublication extends Publication {
  /** Null when the live release could not be read. */
  readonly diff: DiffFigures | null;
  /** Null when there was nothing to guard. */
  readonly guards: GuardReport | null;
  /** Null when nothing had to be done. */
  readonly cost: CostEstimate | null;
}

/** @throws CommandError publication_held, live_unreadable, suspicious_change; see `publishRelease` */
export async function publishGuarded(
  release: CompiledRelease,
  target: SnapshotTarget,
  options: GuardedOptions & GuardedEvents,
  context: CommandContext,
): Promise<GuardedPublication> {
  const { limits, force, resume, dryRun, mostRead, signature, clock } = options;
  const { progress, signal } = context;
  // Before anything is compared: a job that is held hears of that first.
  const found = await readLive(target);
  refuseHeld(found, resume);
  const replacesAll = await options.replacesAll(target);
  const now = new Date(await target.ledger.now());
  const review = { limits, replacesAll, now, force, mostRead };
  const mending = dryRun ? null : await mendLive(release, target, found);
  if (mending) options.onMended(mending);
  const { live, diff, guards, accepted } = await reviewChange(target, release, review, context);
  let cost: CostEstimate | null = null;
  const onPlan = async (plan: PublicationPlan, head: LogEntry | null) => {
    cost = await estimateCost(target, head, plan);
    options.onCost(cost);
  };
  const watch = { progress, signal, onPlan, ...(mending ? { list: mending.list } : {}) };
  const record = { signature, expected: live, accepted, resume, ...watch };
  const publication = dryRun
    ? await rehearsePublication(release, target, watch)
    : await publishRelease(release, target, { ...record, ...(clock ? { clock } : {}) });
  return { ...publication, diff: diff && diffFigures(diff), guards, cost };
}
