/**
 * Publishes a release as `snapshot publish` does: not while publishing is held, and not if it looks like
 * a bad export. The first run of a day also deletes what the log has given up.
 */

import { CHUNKS_PART } from '../../src/snapshot/chunk-table.ts';
import { LAST_RUN_KEY } from '../../src/snapshot/keys.ts';
import { lastRunSchema } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { messageOf } from '../cli/describe-error.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { Signature } from '../cli/signature-options.ts';
import { diffFigures } from '../diff/describe-diff.ts';
import { type Collectable, deleteCollectable, findCollectable } from '../release/collect.ts';
import { parseJson } from '../release/json-documents.ts';
import type { Stay } from '../release/log-entry.ts';
import { listGenerations } from '../release/objects.ts';
import {
  type Publication,
  type PublicationPlan,
  refuseHeld,
  type Seen,
  see,
} from '../release/publication.ts';
import { publishRelease } from '../release/publish-release.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type CostEstimate, estimateCost } from './estimate-cost.ts';
import type { Allowed } from './judge.ts';
import { type GuardReport, reviewChange } from './review-change.ts';

export interface GuardedOptions {
  readonly signature: Signature;
  /** How far guards are allowed to go. */
  readonly allow?: Allowed;
  /** Whether anything may be published, however it looks. */
  readonly force?: boolean;
  /** Whether everything is uploaded anew, which heals whatever was lost or damaged. */
  readonly afresh?: boolean;
  /** Whether a new log is begun in the place of what is there. */
  readonly beginLog?: boolean;
  /** Whether nothing is to be written. */
  readonly dryRun?: boolean;
  /** Whether what is live may go, and be judged as if nothing were. */
  readonly replacesAll: (live: Stay | null) => Promise<boolean>;
  /** Told before anything is uploaded. */
  readonly onCost: (cost: CostEstimate) => void;
}

export interface GuardedPublication extends Publication {
  /** Null when the live release could not be read. */
  readonly diff: ReturnType<typeof diffFigures> | null;
  /** Null when there was nothing to guard. */
  readonly guards: GuardReport | null;
  /** Null when nothing had to be done. */
  readonly cost: CostEstimate | null;
  /** What was deleted; null where nothing was looked for. */
  readonly collected: Collectable | null;
}

/** @throws CommandError publication_held, pointer_behind, live_unreadable, suspicious_change; see `publishRelease` */
export async function publishGuarded(
  release: CompiledRelease,
  target: SnapshotTarget,
  options: GuardedOptions,
  context: CommandContext,
): Promise<GuardedPublication> {
  const {
    allow = new Map(),
    force = false,
    dryRun = false,
    afresh = false,
    beginLog = false,
    signature,
  } = options;
  const { progress, signal } = context;
  const seen = await lookAround(target, options, context);
  const { head, generations, now } = seen;
  if (head && seen.isPointerLeft && !afresh) throw pointerLeft(head);
  const replacesAll = await options.replacesAll(head);
  const review = { allowed: allow, replacesAll, now, force };
  const { diff, guards, accepted } = await reviewChange(release, seen, review, context);
  let cost: CostEstimate | null = null;
  const onPlan = async (plan: PublicationPlan) => {
    cost = await estimateCost(target, plan, seen, now);
    options.onCost(cost);
  };
  const order = { signature, accepted, afresh, beginLog, dryRun, seen, onPlan, progress, signal };
  const publication = await publishRelease(release, target, order);
  const isDue = generations !== null && !dryRun;
  return {
    ...publication,
    diff: diff && diffFigures(diff),
    guards,
    cost,
    collected: isDue ? await collectQuietly(target, seen, context) : null,
  };
}

/** What a publication goes by. */
interface SeenAt extends Seen {
  /** By the clock of the storage, milliseconds since 1970. */
  readonly now: number;
  /** Whether the pointer is behind and was left so, for objects of the live release are missing. */
  readonly isPointerLeft: boolean;
}

/**
 * Reads what everything is decided by, once. In the first run of a day that includes what lies in
 * storage, for a list of it takes hundreds of requests at 100,000 stores.
 * @throws CommandError publication_held, before anything else: a job that is held hears of that first
 */
async function lookAround(
  target: SnapshotTarget,
  options: GuardedOptions,
  { remark }: CommandContext,
): Promise<SeenAt> {
  let isPointerLeft = false;
  const onLeft = (text: string) => {
    isPointerLeft = true;
    remark(text);
  };
  const seen = await see(target, { ...options, remark: onLeft });
  const { head, published } = seen;
  refuseHeld(head);
  const now = await target.ledger.now();
  if (head) await published.fetch([head.manifest], [CHUNKS_PART.name]);
  const isFirst = head !== null && (await isFirstOfDay(target, now));
  const generations = isFirst ? await listGenerations(target.objects) : null;
  return { ...seen, generations, now, isPointerLeft };
}

/** The error of a publication that would rely on objects of which it is known that some are missing. */
function pointerLeft({ number, manifest: { release } }: Stay): CommandError {
  const message = `release ${release} is live by the log, but readers do not see it, for objects of it are missing: publish --afresh uploads everything anew`;
  return new CommandError(message, { code: 'pointer_behind', details: { number, release } });
}

async function isFirstOfDay({ objects }: SnapshotTarget, now: number): Promise<boolean> {
  const run = parseJson(await objects.get(LAST_RUN_KEY), lastRunSchema);
  return run?.ranAt.slice(0, 10) !== new Date(now).toISOString().slice(0, 10);
}

/** Deletes what was given up; a release that is live is not called a failure because of that. */
async function collectQuietly(
  target: SnapshotTarget,
  { head, generations }: Seen,
  { progress, signal, remark }: CommandContext,
): Promise<Collectable | null> {
  try {
    const found = await findCollectable(target, head, generations);
    await deleteCollectable(target, found, { progress, signal });
    return found;
  } catch (error) {
    if (signal.aborted) throw error;
    remark(
      `what is no longer kept could not be deleted: ${messageOf(error)}; snapshot prune does it`,
    );
    return null;
  }
}
