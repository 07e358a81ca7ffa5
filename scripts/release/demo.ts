/** The demo of `npm start`, told from what users publish. */
import type { PlaceOptions } from '../cli/common-options.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { logFrom } from './log.ts';
import type { LogEntry } from './log-entry.ts';

/** The author of what `npm start` publishes. */
export const DEMO_AUTHOR = 'npm start';

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
