/** Which release was live a day ago: many small losses within a day are one large one. */
import type { LogEntry } from '../release/log-entry.ts';
import { ROW_NAMES } from './table.ts';

const DAY = 24 * 60 * 60 * 1000;

/**
 * The release that was live a day before `now`, or the first one if none was yet, with the guards over
 * whose usual limits something was published on purpose since: that must not be held against what
 * comes after. Null when it is the live one.
 * @param entries the latest first
 * @param now milliseconds since 1970
 */
export function findDayAgo(entries: readonly LogEntry[], now: number) {
  const then = now - DAY;
  // What a purge has given up can be read no more.
  const purge = entries.findIndex(({ kind }) => kind === 'purge');
  const readable = purge < 0 ? entries : entries.slice(0, purge + 1);
  const place = readable.findIndex(({ from }) => from <= then);
  const found = readable.at(place);
  if (!found || found.manifest.release === readable[0]?.manifest.release) return null;
  const since = readable.slice(0, place);
  // Rollbacks are deliberate: exempt from all guards.
  const accepted = since.flatMap(({ kind, accepted = [] }) => {
    return kind === 'rollback' ? ROW_NAMES : accepted;
  });
  return { manifest: found.manifest, exempt: new Set(accepted) };
}
