/**
 * Gives up releases that nobody will go back to, and every object that nothing refers to: theirs, and
 * what publications that were cut short left behind.
 *
 * Never at once. What nothing refers to is condemned first; a later run deletes it, at least a day
 * after that by the storage's clock, if still nothing refers to it. So a publication that began
 * before, or that a late list has shown something, has a day to say what it relies on.
 */
import { LOG_PREFIX, OBJECT_PREFIX, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import type { Progress } from '../cli/progress.ts';
import { deleteAll } from '../storage/in-flight.ts';
import type { Ledger, SnapshotTarget } from '../storage/key-value-store.ts';
import { condemn, rewriteDeletionRecord, type StoredDeletionRecord } from './condemned.ts';
import {
  deleteUnreferenced,
  nothingDeleted,
  type ReleasesAndObjects,
} from './delete-unreferenced.ts';
import { dropOldIntents } from './intents.ts';
import { LEAST_KEPT } from './kept-releases.ts';
import { numberOf } from './log.ts';
import { type References, readReferences } from './references.ts';
import { dropNames } from './release-names.ts';

/** Milliseconds between being condemned and being deleted. */
export const DELETION_DELAY = 24 * 3600_000;

/**
 * Milliseconds for which the record of what was deleted stays: lists may show it for some minutes,
 * and a publication that began before waits for ten.
 */
const RECORD_LIFETIME = 30 * 60_000;

/** Entries of the log that are older go, milliseconds. */
const LOG_LIFETIME = 400 * 24 * 3600_000;

export interface PruneOptions {
  /** How many releases stay at least; fewer than ten never do. */
  readonly keep: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, by this machine. */
  readonly now?: () => number;
}

export interface PruneReport {
  /** Ids of releases that are kept. */
  readonly kept: readonly string[];
  readonly keptObjects: number;
  /** What was deleted, or is due. */
  readonly deleted: ReleasesAndObjects;
  /** What is condemned from now on. */
  readonly condemned: ReleasesAndObjects;
}

/**
 * Deletes what is due, and condemns what may go.
 * @throws CommandError when it cannot be told what a kept release consists of
 */
export async function pruneReleases(
  target: SnapshotTarget,
  options: PruneOptions,
): Promise<PruneReport> {
  const { progress, signal, now = Date.now } = options;
  const read = () =>
    readReferences(target, { keep: options.keep, writes: true, progress, now }).catch((error) => {
      throw nothingDeleted(error);
    });
  const references = await read();
  const plan = await makePlan(target, references);
  const head = references.kept.head?.number ?? 0;
  await dropNames(target, head, (release) => references.releases.has(release));
  const deleted = await deleteUnreferenced(target, plan.due, references, {
    progress,
    signal,
    now,
    readReferences: read,
  });
  await closeRecords(target.ledger, references);
  if (plan.fresh.releases.length + plan.fresh.objects.length > 0) {
    await condemn(target.ledger, { head, isPurge: false, ...plan.fresh });
  }
  await dropOldIntents(target.ledger, references.readAt);
  await dropOldEntries(target.ledger, references);
  return { ...report(references, plan), deleted };
}

/** Says what pruning would do. */
export async function planPrune(
  target: SnapshotTarget,
  { keep, progress, now = Date.now }: Omit<PruneOptions, 'signal'>,
): Promise<PruneReport> {
  const references = await readReferences(target, { keep, progress, now });
  return report(references, await makePlan(target, references));
}

interface Plan {
  /** What was condemned a day ago, and is still needed by nothing. */
  readonly due: ReleasesAndObjects;
  /** What is needed by nothing, and not condemned yet. */
  readonly fresh: ReleasesAndObjects;
  readonly keptObjects: number;
}

function report({ kept }: References, { due, fresh, keptObjects }: Plan): PruneReport {
  const ids = kept.releases.map(({ manifest }) => manifest.release);
  return { kept: ids, keptObjects, deleted: due, condemned: fresh };
}

async function makePlan(
  { objects: store }: SnapshotTarget,
  { kept, releases, objects, readAt }: References,
): Promise<Plan> {
  const there = {
    releases: await idsBelow(store.list(RELEASE_PREFIX), RELEASE_PREFIX),
    objects: await idsBelow(store.list(OBJECT_PREFIX), OBJECT_PREFIX),
  };
  const { records } = kept.condemned;
  const pending = records.filter(({ isDeleted }) => !isDeleted);
  const dueRecords = pending.filter(({ since }) => readAt - since >= DELETION_DELAY);
  return {
    due: {
      releases: inNone(namedBy(dueRecords, 'releases'), releases),
      objects: inNone(namedBy(dueRecords, 'objects'), objects),
    },
    fresh: {
      releases: inNone(there.releases, releases, namedBy(records, 'releases')),
      objects: inNone(there.objects, objects, namedBy(records, 'objects')),
    },
    keptObjects: there.objects.filter((hash) => objects.has(hash)).length,
  };
}

/** The ids or hashes that are in none of the sets. */
function inNone(ids: Iterable<string>, ...sets: readonly ReadonlySet<string>[]): string[] {
  return [...ids].filter((id) => !sets.some((set) => set.has(id)));
}

/** What records name, each once. */
function namedBy(
  records: readonly StoredDeletionRecord[],
  area: keyof ReleasesAndObjects,
): ReadonlySet<string> {
  return new Set(records.flatMap((record) => record[area]));
}

async function idsBelow(keys: AsyncIterable<{ key: string }>, prefix: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of keys) ids.push(key.slice(prefix.length));
  return ids;
}

/**
 * Brings the records up to date: takes out what the log calls for again, marks those of which all has
 * been deleted, and takes away those that were marked long enough ago. An intent alone takes nothing
 * out: another prune may still go by a reading from before it.
 */
async function closeRecords(
  ledger: Ledger,
  { kept, logged: { releases, objects }, readAt }: References,
): Promise<void> {
  const outlived: string[] = [];
  for (const record of kept.condemned.records) {
    if (record.isDeleted) {
      if (readAt - record.storedAt >= RECORD_LIFETIME) outlived.push(record.key);
      continue;
    }
    const left = {
      releases: inNone(record.releases, releases),
      objects: inNone(record.objects, objects),
    };
    const isDeleted = readAt - record.since >= DELETION_DELAY;
    const isShorter =
      left.objects.length < record.objects.length || left.releases.length < record.releases.length;
    if (isDeleted || isShorter) {
      await rewriteDeletionRecord(ledger, { ...record, ...left, isDeleted });
    }
  }
  await deleteAll(ledger, outlived);
}

/** Entries of 400 days ago, unless they are among the last ones. */
async function dropOldEntries(ledger: Ledger, { kept, readAt }: References): Promise<void> {
  const entries: { key: string; storedAt: number }[] = [];
  for await (const entry of ledger.list(LOG_PREFIX)) entries.push(entry);
  const needed = new Set(kept.releases.map(({ stay }) => stay.number));
  const old = entries
    .slice(0, -LEAST_KEPT)
    .filter(({ key, storedAt }) => readAt - storedAt > LOG_LIFETIME && !needed.has(numberOf(key)));
  await deleteAll(
    ledger,
    old.map(({ key }) => key),
  );
}
