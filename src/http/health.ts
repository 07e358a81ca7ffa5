/** `GET /healthz`: whether stores can be served, and from which release. */
import { z } from 'zod';
import type { Exchange, Reply } from './exchange.ts';
import { isolateOf } from './isolate.ts';

export const healthSchema = z
  .strictObject({
    status: z.literal('ok'),
    release: z.string().describe('Release that answers at present.'),
    publishedAt: z.iso.datetime().describe('When it was published.'),
    age: z.number().min(0).describe('Seconds since then.'),
    storeCount: z.int().min(0),
  })
  .meta({ id: 'Health' });

/** @throws ProblemError snapshot_missing, storage_unreachable */
export async function checkHealth(exchange: Exchange): Promise<Reply> {
  const release = await isolateOf(exchange.env).releases.current(exchange);
  exchange.release = release.name;
  exchange.stopwatch.lap('load');
  const { publishedAt, storeCount } = release;
  const milliseconds = Math.max(0, Date.now() - publishedAt.getTime());
  const health: z.infer<typeof healthSchema> = {
    status: 'ok',
    release: release.name,
    publishedAt: publishedAt.toISOString(),
    age: Math.floor(milliseconds / 1000),
    storeCount,
  };
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return { status: 200, body: JSON.stringify(health), headers };
}
