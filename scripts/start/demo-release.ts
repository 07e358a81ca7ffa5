/** The release that `npm start` publishes, and how it is told from what users publish. */
import type { PlaceOptions } from '../cli/environment-option.ts';
import type { LogEntry } from '../release/log-entry.ts';
import { readRelease } from '../release/published-release.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';

/** The author of what `npm start` publishes. */
export const DEMO_AUTHOR = 'npm start';

/** Puts the fixtures live, whatever was before, also while publishing is held. */
export const FIXTURES_COMMANDS = [
  'npm run snapshot -- resume',
  'npm run snapshot -- publish --source fixtures/stores.ndjson --force',
];

/**
 * Whether local development holds what `npm start` put there and nobody misses. No other storage
 * is asked: what is live there is somebody's, whoever published it.
 */
export async function isDemoLive(
  target: SnapshotTarget,
  live: LogEntry | null,
  { env, remote = false }: PlaceOptions,
): Promise<boolean> {
  if (!live || env !== 'development' || remote) return false;
  const published = await readRelease(target, live.manifest.release);
  return published?.author === DEMO_AUTHOR;
}
