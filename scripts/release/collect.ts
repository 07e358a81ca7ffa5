/**
 * Deletes what the log has given up: generations as a whole, releases by their names, and entries of
 * long ago. Which ones, the log alone decides, so that nothing has to be checked before: a collector that
 * slept for weeks still deletes only what was given up then, and nothing comes back.
 */
import { LOG_PREFIX, parseReleaseName, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import { plural } from '../cli/output.ts';
import { deleteAll, listKeys, type SnapshotTarget } from '../storage/key-value-store.ts';
import { type Log, numberOf } from './log.ts';
import { isEnough, judgeLog, type LogEntry, type LogRule, nameOf } from './log-entry.ts';
import { listGenerations, type StoredGenerations } from './objects.ts';

/** A collector goes by the log without the entries of this time, milliseconds. */
const DELAY = 24 * 3600_000;

/** Entries of the log that are older go, milliseconds. */
const LOG_LIFETIME = 400 * 24 * 3600_000;

/** Keys deleted between two looks at the signal. */
const BATCH = 1_000;

/** What is to be deleted, or was. */
export type Collectable = Awaited<ReturnType<typeof findCollectable>>;

/**
 * Finds what may go.
 * @param generations what lies in storage, where that has been looked at already
 * @param purge number of the entry of a purge: what the log up to that has given up goes at once
 */
export async function findCollectable(
  target: SnapshotTarget,
  log: Log,
  generations?: StoredGenerations | null,
  purge?: number,
) {
  const now = await target.ledger.now();
  const counts = ({ number, from }: LogEntry) =>
    purge === undefined ? from <= now - DELAY : number <= purge;
  const entries = await log.entries((soFar) => isEnough(soFar.filter(counts)));
  const rule = judgeLog(entries.filter(counts));
  const [last] = rule.entries;
  if (!last) return { releases: [], generations: [], objects: [], entries: [] };
  const stored = generations ?? (await listGenerations(target.objects));
  const givenUp = [...stored].filter(([generation]) => rule.isGivenUp(generation));
  return {
    /** Names of releases that are no longer kept: neither rollbacks nor `changes` can use them. */
    releases: await findReleases(target, rule, last),
    generations: givenUp.map(([generation]) => generation),
    /** Keys of their objects. */
    objects: givenUp.flatMap(([, objects]) => objects.map(({ key }) => key)),
    /** Keys of old entries of the log. */
    entries: await findOldEntries(target, rule, last, now),
  };
}

/** Finds the names of releases that are no longer kept. */
async function findReleases(
  { objects }: SnapshotTarget,
  { entries, isKept }: LogRule,
  last: LogEntry,
): Promise<string[]> {
  const kept = new Set(entries.filter(isKept).map(nameOf));
  const keys = await listKeys(objects, RELEASE_PREFIX);
  return keys
    .map((key) => key.slice(RELEASE_PREFIX.length))
    .filter((name) => {
      const { number } = parseReleaseName(name) ?? {};
      return number !== undefined && number <= last.number && !kept.has(name);
    });
}

/** Finds the keys of entries that are too old, and not needed to tell what is kept. */
async function findOldEntries(
  { ledger }: SnapshotTarget,
  { kept }: LogRule,
  last: LogEntry,
  now: number,
): Promise<string[]> {
  const needed = new Set(kept.map(({ number }) => number));
  const listed = await Array.fromAsync(ledger.list(LOG_PREFIX));
  return listed
    .filter(({ key, storedAt }) => {
      const number = numberOf(key);
      return now - storedAt > LOG_LIFETIME && number < last.number && !needed.has(number);
    })
    .map(({ key }) => key);
}

/** Deletes it, the names of releases first: a request by such a name is then told that it is gone. */
export async function deleteCollectable(
  target: SnapshotTarget,
  { releases, objects, entries }: Collectable,
): Promise<void> {
  await deleteKeys(target, [...releases.map((name) => RELEASE_PREFIX + name), ...objects]);
  await deleteAll(target.ledger, entries);
}

/** Deletes many keys of what Workers read, with progress, and stops between two batches of them. */
export async function deleteKeys(
  { objects, context: { progress, signal } }: SnapshotTarget,
  keys: readonly string[],
): Promise<void> {
  progress.begin('Deleting', keys.length, 'objects');
  for (let start = 0; start < keys.length; start += BATCH) {
    signal.throwIfAborted();
    await deleteAll(objects, keys.slice(start, start + BATCH));
    progress.update(Math.min(keys.length, start + BATCH));
  }
}

/** Describes what was deleted, as prune and purge tell it. */
export function describeCollected({ releases, generations, objects }: Collectable): string {
  const from = generations.length > 0 ? ` of ${plural(generations.length, 'generation')}` : '';
  return `${plural(releases.length, 'release name')} and ${plural(objects.length, 'object')}${from}`;
}

/** Returns the same for machines, which publish tells too. */
export function collectedJson({ releases, generations, objects }: Collectable) {
  return {
    deletedReleases: releases,
    deletedGenerations: generations,
    deletedObjects: objects.length,
  };
}
