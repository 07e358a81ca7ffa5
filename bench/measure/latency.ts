/** What a partner waits for an answer when nobody else asks, in milliseconds. */
import { Connection } from '../client/connection.ts';
import { expectAnswer, type PreparedRequest } from '../client/drive.ts';
import { type Percentiles, percentilesOf } from '../report/statistics.ts';
import type { RunningContender } from '../server/contender.ts';
import { COLD, INSTANT, type Storage } from '../storage/storage.ts';

/** Asks each of `requests` once, while what is missing in memory has to come from far away. */
export async function measureLatency(
  storage: Storage,
  service: RunningContender,
  requests: readonly PreparedRequest[],
): Promise<Percentiles> {
  await storage.restart(service.lane, COLD);
  const connection = await Connection.open(service.port);
  const times: number[] = [];
  for (const request of requests) {
    const start = performance.now();
    const answer = await connection.send(request.bytes);
    times.push(performance.now() - start);
    if (request.status < 400) expectAnswer(request, answer);
  }
  connection.close();
  await storage.restart(service.lane, INSTANT);
  return percentilesOf(times);
}
