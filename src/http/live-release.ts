/** The release that answers a request. */
import type { LoadedRelease } from '../load/loaded-release.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log-lines.ts';
import { problemOf } from './problem-response.ts';
import type { AppContext } from './trace.ts';

/** Returns the live release. @throws ProblemError snapshot_missing, storage_unreachable */
export async function liveRelease(context: AppContext): Promise<LoadedRelease> {
  const trace = context.get('trace');
  const release = await isolateOf(context.env).releases.current(trace);
  trace.stopwatch.lap('load');
  trace.release = release.name;
  return release;
}

/**
 * Returns the release to answer from when part of `failed` could not be read
 * (`ReleaseHolder.insteadOf`).
 * @throws ProblemError of `thrown` when that is another problem
 */
export async function releaseInsteadOf(
  failed: LoadedRelease,
  thrown: unknown,
  context: AppContext,
): Promise<LoadedRelease> {
  const error = problemOf(thrown);
  if (error.code !== 'storage_unreachable') throw error;
  const trace = context.get('trace');
  const cause = new Error(`release ${failed.name} cannot be read from`, { cause: error });
  logFault('release_unreadable', cause, trace.requestId);
  const other = await isolateOf(context.env).releases.insteadOf(failed, error.cause, trace);
  trace.release = other.name;
  return other;
}
