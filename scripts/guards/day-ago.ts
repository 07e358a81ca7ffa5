/** Which release was live a day ago: many small losses within a day are one large one. */
import type { Stay } from '../release/log-entry.ts';
import { ROW_NAMES } from './table.ts';

const DAY = 24 * 60 * 60 * 1000;

/** That a release went live. */
export interface WentLive {
  readonly release: string;
  /** ISO 8601. */
  readonly since: string;
  /**
   * Guards over whose default limits it was published on purpose. All of them when it was no
   * publication but a rollback, which is deliberate too.
   */
  readonly accepted: readonly string[];
}

/**
 * The release that was live a day before `now`, or the first one if none was yet, with the guards over
 * which something went live since: that must not be held against what comes after. Null when it is the
 * live one.
 * @param entries in the order of time, the live release last
 */
export function findDayAgo<Entry extends WentLive>(entries: readonly Entry[], now: Date) {
  const then = now.getTime() - DAY;
  const index = Math.max(
    0,
    entries.findLastIndex(({ since }) => Date.parse(since) <= then),
  );
  const found = entries[index];
  if (!found || found.release === entries.at(-1)?.release) return null;
  const exempt = new Set(entries.slice(index + 1).flatMap(({ accepted }) => accepted));
  return { ...found, exempt };
}

/**
 * The same by the log, with the manifest of the release.
 * @param stays the latest first
 */
export function findStayDayAgo(stays: readonly Stay[], now: Date) {
  // What a purge has given up can be read no more.
  const purge = stays.findIndex(({ kind }) => kind === 'purge');
  const readable = purge < 0 ? stays : stays.slice(0, purge + 1);
  const entries = readable.toReversed().map(({ manifest, from, kind, accepted = [] }) => ({
    release: manifest.release,
    manifest,
    since: new Date(from).toISOString(),
    // Rollbacks are deliberate: exempt from all guards.
    accepted: kind === 'rollback' ? ROW_NAMES : accepted,
  }));
  return findDayAgo(entries, now);
}
