/**
 * Deletes releases that nobody will go back to, and every object that no kept release has: theirs,
 * and what publications that were cut short left behind.
 *
 * Only under a lease: an object of no release may belong to a publication that is under way.
 */
import { objectKey, releaseKey } from '../../src/snapshot/keys.ts';
import type { PublishedRelease } from '../../src/snapshot/manifest.ts';
import { CommandError } from '../cli/command-error.ts';
import type { Progress } from '../cli/progress.ts';
import { deleteAll } from '../storage/in-bulk.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { historyKey } from './history.ts';
import { type KeptReleases, readKeptReleases } from './kept-releases.ts';
import { type Lease, withLease } from './lease.ts';
import { listObjectKeys } from './plan-publication.ts';
import { listPublishedObjects } from './published-objects.ts';
import { isPointerUnreadable, pointerFacts } from './published-release.ts';
import { releaseBeforeLive } from './way-back.ts';

/** Objects deleted between two looks at the lease. */
const BATCH = 1_000;

export interface PrunePlan {
  readonly kept: readonly string[];
  readonly dropped: readonly string[];
  /** Keys of objects that no kept release has. */
  readonly objects: readonly string[];
  readonly keptObjects: number;
}

export interface PruneOptions {
  /** How many releases stay: those that went live last. */
  readonly keep: number;
  /** Who prunes, for whoever wants to publish meanwhile. */
  readonly author: string;
  /** See `LeaseOptions`. */
  readonly breaking?: string | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Deletes what may go, and returns what that was.
 * @throws CommandError target_busy while somebody publishes; when it cannot be told what a kept
 *   release consists of
 */
export async function pruneReleases(
  target: SnapshotTarget,
  options: PruneOptions,
): Promise<PrunePlan> {
  const { author: holder, breaking } = options;
  return withLease(target, { kind: 'prune', holder, breaking }, async (lease) => {
    const plan = await planPrune(target, options.keep, options.progress);
    await carryOut(plan, target, lease, options);
    // Whoever publishes next must not take from a late list what has just been deleted.
    if (plan.objects.length > 0) await target.settle?.();
    return plan;
  });
}

/**
 * Decides what may go: all but the `keep` releases that went live last, the live one, the one that
 * was live before, which the pointer names for readers to fall back on, and the one to which a
 * rollback may turn the pointer meanwhile.
 * @throws CommandError when it cannot be told what a kept release consists of
 */
export async function planPrune(
  target: SnapshotTarget,
  keep: number,
  progress: Progress,
): Promise<PrunePlan> {
  const all = await readKeptReleases(target);
  refuseUnreadable(all);
  await refuseUnknownLive(target, all);
  const kept = chooseKept(all, keep);
  const needed = new Set<string>();
  progress.begin('Reading releases', kept.length, 'releases');
  for (const [index, manifest] of kept.entries()) {
    const objects = await listPublishedObjects(target, manifest);
    for (const { hash } of objects) needed.add(objectKey(hash));
    progress.update(index + 1);
  }
  const there = await listObjectKeys(target);
  const ids = kept.map(({ release }) => release);
  return {
    kept: ids,
    dropped: all.releases.map(({ release }) => release).filter((id) => !ids.includes(id)),
    objects: [...there].filter((key) => !needed.has(key)),
    keptObjects: [...there].filter((key) => needed.has(key)).length,
  };
}

/**
 * Carries a plan out: releases first, so that nobody goes back to one that is no longer whole. When
 * it is cut short, the next prune deletes the rest. What says that a release was withdrawn stays:
 * the bad export may come again.
 */
async function carryOut(
  { dropped, objects }: PrunePlan,
  target: SnapshotTarget,
  lease: Lease,
  { progress, signal }: PruneOptions,
): Promise<void> {
  lease.assertHeld();
  // First: what is listed no more is dropped by no later prune.
  await deleteAll(target, dropped.map(historyKey));
  await deleteAll(target, dropped.map(releaseKey));
  progress.begin('Deleting', objects.length, 'objects');
  for (let start = 0; start < objects.length; start += BATCH) {
    signal.throwIfAborted();
    lease.assertHeld();
    await deleteAll(target, objects.slice(start, start + BATCH));
    progress.update(Math.min(objects.length, start + BATCH));
  }
}

function chooseKept(all: KeptReleases, keep: number): PublishedRelease[] {
  const { pointer, releases } = all;
  const needed = new Set([
    pointer?.manifest.release,
    pointer?.before?.manifest.release,
    releaseBeforeLive(all)?.release,
  ]);
  return releases.filter(({ release }, rank) => rank < keep || needed.has(release));
}

function refuseUnreadable({ unreadable }: KeptReleases): void {
  if (unreadable.length === 0) return;
  const message = `the manifest of release ${unreadable[0]} cannot be read, so nobody knows which objects it shares; nothing was deleted`;
  throw new CommandError(message, {
    code: 'release_unreadable',
    details: { releases: unreadable },
    explanation: `It is damaged, or another version of this tool wrote it. If nobody needs it, delete the\nkey ${releaseKey(unreadable[0] ?? '')} and prune again.`,
  });
}

/** What is live must be among the releases: a listing may be older than the pointer. */
async function refuseUnknownLive(
  target: SnapshotTarget,
  { pointer, releases }: KeptReleases,
): Promise<void> {
  const live = pointer?.manifest.release;
  if (releases.some(({ release }) => release === live)) return;
  if (!pointer && !(await isPointerUnreadable(target))) return;
  const what = pointer ? `release ${live}, which is not listed` : 'nobody knows what';
  throw new CommandError(`live is ${what}; nothing was deleted, try again in a few minutes`, {
    code: 'live_unreadable',
    details: { live: pointer && pointerFacts(pointer) },
  });
}
