/** Compares a release with what is live, and tells when that cannot be read. */

import type { CompiledRelease } from '../build/compiled-release.ts';
import { CommandError } from '../cli/command-error.ts';
import { type CompareOptions, diffReleases, type ReleaseDiff } from './diff-releases.ts';

/**
 * What `next` would change against `live`, what is live (null: nothing is).
 * @throws CommandError live_unreadable
 */
export async function compareWithLive(
  live: CompiledRelease | null,
  next: CompiledRelease,
  options: CompareOptions,
): Promise<ReleaseDiff> {
  if (live?.manifest.release === next.manifest.release) return diffReleases(next, next, options);
  return explainLive(live, () => diffReleases(live, next, options));
}

/**
 * Runs `work` and tells damage of the live release from damage of another.
 * @throws CommandError live_unreadable
 */
export async function explainLive<T>(
  live: CompiledRelease | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== 'release_damaged') throw error;
    const { details } = error;
    const isOfLive = 'release' in details && details.release === live?.manifest.release;
    throw isOfLive ? liveUnreadable(error.message, error) : error;
  }
}

export function isLiveUnreadable(error: unknown): boolean {
  return error instanceof CommandError && error.code === 'live_unreadable';
}

function liveUnreadable(reason: string, cause?: unknown): CommandError {
  const message = `the live release cannot be compared with: ${reason}; publish --force --afresh replaces it`;
  return new CommandError(message, { code: 'live_unreadable', cause });
}
