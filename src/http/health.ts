/** `GET /healthz`: service health, the live release, and when publishing last ran. */
import { ProblemError } from '../model/problem.ts';
import { LAST_RUN_KEY } from '../snapshot/keys.ts';
import { answer } from './answer.ts';
import { isolateOf, liveRelease } from './isolate.ts';
import { type AppContext, logFault } from './trace.ts';

/**
 * Answers with the service health.
 * @param ranWithin seconds within which publishing must have run; null when that is not asked
 * @throws ProblemError snapshot_missing, storage_unreachable, run_overdue
 */
export async function checkHealth(
  context: AppContext,
  ranWithin: number | null,
): Promise<Response> {
  const trace = context.get('trace');
  const reading = isolateOf(context.env).lastRuns.find(LAST_RUN_KEY, trace);
  // Avoids an unhandled rejection: the release is awaited first.
  reading.catch(() => {});
  const { name, publishedAt, storeCount } = await liveRelease(context);
  const run = await reading.catch((error) => {
    if (ranWithin !== null) throw error;
    // Stores can be served, even if the last run is unknown.
    logFault('last_run_unreadable', error, trace.requestId);
    return null;
  });
  const ranAt = run && new Date(run.ranAt);
  trace.lap('load');
  if (ranWithin !== null) expectRun(ranAt, ranWithin);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  // `healthSchema` describes it (`web/openapi/answer-schemas.ts`).
  const health = {
    status: 'ok',
    release: name,
    publishedAt: publishedAt.toISOString(),
    age: secondsSince(publishedAt),
    storeCount,
    ranAt: ranAt?.toISOString() ?? null,
    ranAge: ranAt && secondsSince(ranAt),
  };
  return answer(context, 200, JSON.stringify(health), headers);
}

/** Refuses when no publication has ended in so many seconds. @throws ProblemError run_overdue */
function expectRun(ranAt: Date | null, ranWithin: number): void {
  if (ranAt === null) {
    throw new ProblemError('run_overdue', 'Publishing has not run to its end yet.');
  }
  const seconds = secondsSince(ranAt);
  if (seconds <= ranWithin) return;
  const last = `Publishing last ran to its end at ${ranAt.toISOString()}, ${seconds} seconds ago`;
  throw new ProblemError('run_overdue', `${last}; asked for are ${ranWithin} at most.`);
}

/** Returns the seconds since an instant, at least 0: clocks may differ. */
function secondsSince(instant: Date): number {
  return Math.max(0, Math.floor((Date.now() - instant.getTime()) / 1000));
}
