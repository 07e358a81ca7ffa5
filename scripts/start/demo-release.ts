/** The release that `npm start` publishes, and how it is told from what users publish. */
import type { PlaceOptions } from '../cli/environment-option.ts';
import { logFrom } from '../release/log.ts';
import type { LogEntry } from '../release/log-entry.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';

/** The author of what `npm start` publishes. */
export const DEMO_AUTHOR = 'npm start';

/** Puts the fixtures live, whatever was before, unless publishing is held. */
export const FIXTURES_COMMAND =
  'npm run snapshot -- publish --source fixtures/stores.ndjson --force';

export const RESUME_COMMAND = 'npm run snapshot -- resume';

/** The entry that published what is live, not a later rollback to it; the last entry if that is gone. */
export async function findPublication(target: SnapshotTarget, live: LogEntry): Promise<LogEntry> {
  const isIt = ({ kind, manifest }: LogEntry) =>
    kind === 'publish' && manifest.release === live.manifest.release;
  const entries = await logFrom(target, live).entries((soFar) => soFar.some(isIt));
  return entries.find(isIt) ?? live;
}

/**
 * Whether local development holds only what `npm start` put there. No other storage
 * is asked: what is live there is never a demo.
 */
export async function isDemoLive(
  target: SnapshotTarget,
  live: LogEntry | null,
  { env, remote = false }: PlaceOptions,
): Promise<boolean> {
  if (!live || env !== 'development' || remote) return false;
  return (await findPublication(target, live)).by === DEMO_AUTHOR;
}
