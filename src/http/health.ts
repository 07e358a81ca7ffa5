/** `GET /healthz`: whether stores can be served, from which release, and whether publishing goes on. */
import type * as z from 'zod';
import type { LoadedRelease } from '../load/loaded-release.ts';
import { ProblemError } from '../problem.ts';
import { LAST_RUN_KEY } from '../snapshot/keys.ts';
import type { Exchange } from './exchange.ts';
import type { healthSchema } from './health-body.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log-lines.ts';
import { HEALTH_QUERY } from './query/health-query.ts';
import { readQuery } from './query/read-query.ts';
import type { Reply } from './reply.ts';

/** @throws ProblemError invalid_parameters, snapshot_missing, storage_unreachable, run_overdue */
export async function checkHealth(exchange: Exchange): Promise<Reply> {
  const { ranWithin } = readQuery(HEALTH_QUERY, exchange.query);
  const { releases, lastRuns } = isolateOf(exchange.env);
  const reading = lastRuns.find(LAST_RUN_KEY, exchange).then((run) => run && new Date(run.ranAt));
  // Whether it fails is looked at when the release is there.
  reading.catch(() => {});
  const release = await releases.current(exchange);
  exchange.release = release.name;
  const ranAt = await reading.catch((error) => {
    if (ranWithin !== null) throw error;
    // Stores are served however little is known of the last run.
    logFault('last_run_unreadable', error, exchange.requestId);
    return null;
  });
  exchange.stopwatch.lap('load');
  if (ranWithin !== null) expectRun(ranAt, ranWithin);
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status: 200, body: JSON.stringify(healthOf(release, ranAt)), headers };
}

function healthOf(
  { name, publishedAt, storeCount }: LoadedRelease,
  ranAt: Date | null,
): z.infer<typeof healthSchema> {
  return {
    status: 'ok',
    release: name,
    publishedAt: publishedAt.toISOString(),
    age: secondsSince(publishedAt),
    storeCount,
    ranAt: ranAt?.toISOString() ?? null,
    ranAge: ranAt && secondsSince(ranAt),
  };
}

/** @throws ProblemError run_overdue */
function expectRun(ranAt: Date | null, ranWithin: number): void {
  if (ranAt === null) {
    throw new ProblemError('run_overdue', 'Publishing has not run to its end yet.');
  }
  const seconds = secondsSince(ranAt);
  if (seconds <= ranWithin) return;
  const last = `Publishing last ran to its end at ${ranAt.toISOString()}, ${seconds} seconds ago`;
  throw new ProblemError('run_overdue', `${last}; asked for are ${ranWithin} at most.`);
}

/** Never below zero, should clocks differ. */
function secondsSince(instant: Date): number {
  return Math.max(0, Math.floor((Date.now() - instant.getTime()) / 1000));
}
