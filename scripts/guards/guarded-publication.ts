/**
 * Publishes a release as `snapshot publish` does: not while publishing is held, with what is live
 * mended first, and not if it looks like a bad export.
 */
import { CHUNKS_PART } from '../../src/snapshot/manifest.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { type DiffFigures, diffFigures } from '../diff/describe-diff.ts';
import type { CompiledRelease } from '../release/compiled-release.ts';
import { type CostEstimate, estimateCost } from '../release/estimate-cost.ts';
import { History } from '../release/history.ts';
import type { LogEntry, Signature } from '../release/log-entry.ts';
import { type Mending, mendLive } from '../release/mend-live.ts';
import { ObjectList, type ObjectTally, tally } from '../release/objects.ts';
import { openLog } from '../release/open-log.ts';
import type { PublicationPlan } from '../release/plan-publication.ts';
import {
  type Publication,
  publishRelease,
  refuseHeld,
  rehearsePublication,
} from '../release/publish-release.ts';
import { PublishedReleases } from '../release/published-objects.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { Clock } from '../storage/pace.ts';
import type { GuardReport } from './guard-release.ts';
import type { Limits } from './guards.ts';
import { type Past, reviewChange } from './review-change.ts';

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
  readonly replacesAll: (live: LogEntry | null) => Promise<boolean>;
  /** See `CompareOptions`. */
  readonly mostRead: number;
  readonly clock?: Clock;
}

/** What is told while it goes on. */
export interface GuardedEvents {
  readonly onMended: (mending: Mending) => void;
  readonly onCost: (cost: CostEstimate) => void;
  /** Before a wait until a deletion under way of what has to be there again is over; milliseconds. */
  readonly onWait: (milliseconds: number) => void;
}

export interface GuardedPublication extends Publication {
  /** Null when the live release could not be read. */
  readonly diff: DiffFigures | null;
  /** Null when there was nothing to guard. */
  readonly guards: GuardReport | null;
  /** Null when nothing had to be done. */
  readonly cost: CostEstimate | null;
  /**
   * What the live release had lost and has again, and what it lacks still; null in a rehearsal, which
   * mends nothing.
   */
  readonly mending: { readonly mended: ObjectTally; readonly lost: ObjectTally } | null;
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
  const seen = await lookAround(release, target, options);
  const { head, history, published, list, mending, now } = seen;
  const replacesAll = await options.replacesAll(head);
  const review = { limits, replacesAll, now: new Date(now), force, mostRead };
  const { diff, guards, accepted } = await reviewChange(target, release, seen, review, context);
  let cost: CostEstimate | null = null;
  const onPlan = async (plan: PublicationPlan) => {
    cost = await estimateCost(target, plan, { history, list, now });
    options.onCost(cost);
  };
  const known = { expected: head, list, published };
  const watch = { progress, signal, onPlan, ...known, ...(clock ? { clock } : {}) };
  const publication = dryRun
    ? await rehearsePublication(release, target, watch)
    : await publishRelease(release, target, {
        signature,
        accepted,
        resume,
        onWait: options.onWait,
        ...watch,
      });
  return {
    ...publication,
    diff: diff && diffFigures(diff),
    guards,
    cost,
    mending: mending && { mended: tally(mending.mended), lost: tally(mending.lost) },
  };
}

/** What a publication goes by. */
interface Seen extends Past {
  /** Of the objects that are there. */
  readonly list: ObjectList;
  /** Null in a rehearsal. */
  readonly mending: Mending | null;
  /** By the clock of the storage, milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reads what everything is decided by, once, and mends what is live.
 * @throws CommandError publication_held, before anything else: a job that is held hears of that first
 */
async function lookAround(
  release: CompiledRelease,
  target: SnapshotTarget,
  { resume, dryRun, onMended }: GuardedOptions & GuardedEvents,
): Promise<Seen> {
  const head = await openLog(target, { writes: !dryRun });
  refuseHeld(head, resume);
  const now = await target.ledger.now();
  const published = new PublishedReleases(target);
  const list = await ObjectList.read(target.objects);
  await fetchChunkLists(published, head);
  const seen = { head, history: new History(target.ledger, head), published, list, now };
  if (dryRun) return { ...seen, mending: null };
  const mending = await mendLive(release, target, { live: head, list, published, now });
  onMended(mending);
  return { ...seen, list: mending.list, mending };
}

/** The live release and the one before it: both vouch for what they consist of. */
async function fetchChunkLists(published: PublishedReleases, head: LogEntry | null): Promise<void> {
  if (!head) return;
  const before = head.before ? [head.before.manifest] : [];
  await published.fetch([head.manifest, ...before], [CHUNKS_PART]);
}
