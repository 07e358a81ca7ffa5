/**
 * Deletes what the log has given up: generations as a whole, releases by their names, and entries of
 * long ago. Which ones, the log alone decides, so that nothing has to be checked before: a collector that
 * slept for weeks still deletes only what was given up then, and nothing comes back.
 */
import { DAY } from '../../src/hours/clock.ts';
import { LOG_PREFIX, parseReleaseName, RELEASE_PREFIX } from '../../src/snapshot/keys.ts';
import { plural } from '../cli/output.ts';
import { deleteAll, listKeys, type SnapshotTarget } from '../storage/key-value-store.ts';
import { numberOf, readEntries } from './log.ts';
import { type Decision, judgeLog, type LogRule, nameOf } from './log-entry.ts';
import { listGenerations, type StoredGenerations } from './objects.ts';

/** A collector goes by the log without the entries of this time, milliseconds. */
const DELAY = DAY;

/** Entries of the log that are older go, milliseconds. */
const LOG_LIFETIME = 400 * DAY;

/** Keys deleted between two looks at the signal. */
const BATCH = 1_000;

/** What is to be deleted, or was. */
export type Collectable = Awaited<ReturnType<typeof findCollectable>>;

/**
 * Finds what may go.
 * @param head the last entry of the log; null when there is none
 * @param generations what lies in storage, where that has been looked at already
 * @param isPurge whether what the log up to that entry has given up goes at once
 */
export async function findCollectable(
  target: SnapshotTarget,
  head: Decision | null,
  generations?: StoredGenerations | null,
  isPurge = false,
) {
  const now = await target.ledger.now();
  const listed = await Array.fromAsync(target.ledger.list(LOG_PREFIX));
  const judged = listed.findLast(({ storedAt }) => storedAt <= now - DELAY);
  const number = isPurge ? head?.number : judged && numberOf(judged.key);
  const last = head && number ? { log: head.log, number } : null;
  const rule = judgeLog(await readEntries(target, last));
  if (!last || rule.entries.length === 0) {
    return { releases: [], generations: [], objects: [], entries: [] };
  }
  const stored = generations ?? (await listGenerations(target.objects));
  const givenUp = [...stored].filter(([generation]) => rule.isGivenUp(generation));
  const needed = new Set(rule.kept.map((entry) => entry.number));
  const old = listed.filter(({ key, storedAt }) => {
    const each = numberOf(key);
    return now - storedAt > LOG_LIFETIME && each < last.number && !needed.has(each);
  });
  return {
    /** Names of releases that are no longer kept: neither rollbacks nor `changes` can use them. */
    releases: await findReleases(target, rule, last.number),
    generations: givenUp.map(([generation]) => generation),
    /** Keys of their objects. */
    objects: givenUp.flatMap(([, objects]) => objects.map(({ key }) => key)),
    /** Keys of entries that are too old, and not needed to tell what is kept. */
    entries: old.map(({ key }) => key),
  };
}

/** Finds the names of releases that are no longer kept. */
async function findReleases(
  { objects }: SnapshotTarget,
  { entries, isKept }: LogRule,
  last: number,
): Promise<string[]> {
  const kept = new Set(entries.filter(isKept).map(nameOf));
  const keys = await listKeys(objects, RELEASE_PREFIX);
  return keys
    .map((key) => key.slice(RELEASE_PREFIX.length))
    .filter((name) => {
      const { number } = parseReleaseName(name) ?? {};
      return number !== undefined && number <= last && !kept.has(name);
    });
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
