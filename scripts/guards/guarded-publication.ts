/**
 * Publishes a release as `snapshot publish` does: not while publishing is held, and not if it looks like
 * a bad export. The first run of a day also deletes what the log has given up.
 */

import { LAST_RUN_KEY } from '../../src/snapshot/keys.ts';
import { lastRunSchema } from '../../src/snapshot/manifest.ts';
import type { CompiledRelease } from '../build/compiled-release.ts';
import { totalBytes } from '../build/measure-release.ts';
import { CommandError, messageOf } from '../cli/command-error.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { diffFigures } from '../diff/describe-diff.ts';
import { type Collectable, deleteCollectable, findCollectable } from '../release/collect.ts';
import type { Log } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { KEPT_TIME } from '../release/log-rule.ts';
import { listGenerations, type StoredGenerations, tally } from '../release/objects.ts';
import { openLog } from '../release/open-log.ts';
import { type PublishOptions, publishRelease, refuseHeld } from '../release/publish-release.ts';
import { OTHER_WRITES, type UploadPlan } from '../release/write-objects.ts';
import { parseJson } from '../storage/json-documents.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import type { Allowed } from './judge.ts';
import { reviewChange } from './review-change.ts';

const DAY = 24 * 3600_000;

export interface GuardedOptions
  extends Pick<PublishOptions, 'signature' | 'afresh' | 'beginLog' | 'dryRun'> {
  /** How far guards are allowed to go. */
  readonly allow?: Allowed;
  /** Whether anything may be published, however it looks. */
  readonly force?: boolean;
  /** Whether what is live may go, and be judged as if nothing were. */
  readonly replacesAll: (live: LogEntry | null) => Promise<boolean>;
  /** Told before anything is uploaded to Cloudflare. */
  readonly onCost: (cost: CostEstimate) => void;
}

export type GuardedPublication = Awaited<ReturnType<typeof publishGuarded>>;

/** @throws CommandError publication_held, pointer_behind, live_unreadable, suspicious_change; see `publishRelease` */
export async function publishGuarded(
  release: CompiledRelease,
  target: SnapshotTarget,
  options: GuardedOptions,
  context: CommandContext,
) {
  const { allow = new Map(), force = false, onCost, dryRun, afresh } = options;
  const { progress, signal } = context;
  const log = await openLog(target, { ...options, ...context });
  const { head } = log;
  // Before anything else: a job that is held hears of that first.
  refuseHeld(head);
  if (head && !log.isShown && !dryRun && !afresh) throw pointerLeft(head);
  const now = await target.ledger.now();
  // In the first run of a day only: a list takes hundreds of requests at 100,000 stores.
  const isFirst = head !== null && (await isFirstOfDay(target, now));
  const generations = isFirst ? await listGenerations(target.objects) : null;
  const replacesAll = await options.replacesAll(head);
  const review = { allowed: allow, replacesAll, now, force };
  const { diff, guards, accepted } = await reviewChange(release, log, review, context);
  let cost: CostEstimate | null = null;
  const onPlan = async (plan: UploadPlan) => {
    cost = await estimateCost(target, plan, log, now);
    if (cost) onCost(cost);
  };
  const order = { ...options, accepted, log, generations, onPlan, progress, signal };
  const publication = await publishRelease(release, target, order);
  const isDue = generations !== null && !dryRun;
  return {
    ...publication,
    /** Null when the live release could not be read. */
    diff: diff && diffFigures(diff),
    guards,
    /** Null when nothing had to be done, and on this machine. */
    cost: cost as CostEstimate | null,
    /** What was deleted; null where nothing was looked for. */
    collected: isDue ? await collectQuietly(target, log, generations, context) : null,
  };
}

/** The error of a publication that would rely on objects of which it is known that some are missing. */
function pointerLeft({ number, manifest: { release } }: LogEntry): CommandError {
  const message = `release ${release} is live by the log, but readers do not see it, for objects of it are missing: publish --afresh uploads everything anew`;
  return new CommandError(message, 'pointer_behind', { details: { number, release } });
}

async function isFirstOfDay({ objects }: SnapshotTarget, now: number): Promise<boolean> {
  const run = parseJson(await objects.get(LAST_RUN_KEY), lastRunSchema);
  return run?.ranAt.slice(0, 10) !== new Date(now).toISOString().slice(0, 10);
}

/** Deletes what was given up; a release that is live is not called a failure because of that. */
async function collectQuietly(
  target: SnapshotTarget,
  log: Log,
  generations: StoredGenerations,
  { progress, signal, remark }: CommandContext,
): Promise<Collectable | null> {
  try {
    const found = await findCollectable(target, log, generations);
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

export type CostEstimate = NonNullable<Awaited<ReturnType<typeof estimateCost>>>;

/**
 * What the rest of a publication will cost; null on this machine, where nothing is counted.
 * @param now by the clock of the storage, milliseconds since 1970
 */
export async function estimateCost(
  { objects: store }: SnapshotTarget,
  plan: UploadPlan,
  log: Log,
  now: number,
) {
  const uploads = tally(plan.missing);
  const price = store.price?.(uploads.objects, uploads.bytes);
  if (!price) return null;
  const entries = await log.entries();
  const recent = (time: number) => entries.filter(({ from }) => from >= now - time);
  const writes = uploads.objects + OTHER_WRITES;
  return {
    ...price,
    uploads,
    writes,
    /** Writes of the last 24 hours, as the log has them, this publication included. */
    writesInDay: writes + sum(recent(DAY), ({ cost }) => cost?.writes ?? 0),
    /** Bytes of all that was uploaded within eight days, this publication and what was there included. */
    storedBytes: uploads.bytes + storedBefore(entries, recent(KEPT_TIME)),
  };
}

/** What was live eight days ago, and all that was uploaded since. */
function storedBefore(entries: readonly LogEntry[], recent: readonly LogEntry[]): number {
  const first = entries[recent.length];
  const start = first ? totalBytes(first.manifest) : 0;
  return start + sum(recent, ({ cost }) => cost?.bytes ?? 0);
}

function sum(entries: readonly LogEntry[], of: (entry: LogEntry) => number): number {
  return entries.reduce((total, entry) => total + of(entry), 0);
}
