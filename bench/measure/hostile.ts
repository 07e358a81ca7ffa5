/** The CPU of hostile requests, one by one, and which of them cost the most. */

import { Random } from '../../fixtures/generator/random.ts';
import { LIST_PATH } from '../../src/http/paths.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { releaseName } from '../../src/snapshot/keys.ts';
import { Connection } from '../client/connection.ts';
import type { Cost, HostileResult } from '../report/hostile.ts';
import { type HostileRequest, HostileRequests } from '../requests/hostile/hostile-requests.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { cpuSeconds } from './process-cost.ts';
import { spreadOfKnown } from './sample.ts';
import { measureYardstick } from './yardstick.ts';

const SEED = 12;

/**
 * Processes that are asked the same, each in another order: a collection of garbage, which many
 * requests before have made, counts for a request in one of them.
 */
const PROCESSES = 5;

/** Requests of their own that a process answers before, so that its code is compiled. */
const WARM_UP = 300;

/** Static files are not bound in the benchmark. */
const OPERATIONS = '/v2/';

/** What workerd refuses by itself: it closes the connection. */
const UNSENT = { status: 0, bytes: 0 };

/** @param count requests that are sent */
export async function measureHostile(scene: Scene, count: number): Promise<HostileResult> {
  const [warmUp, requests] = [drawRequests(scene, 0, WARM_UP), drawRequests(scene, 1, count)];
  const costsByRequest = new Map<HostileRequest, Cost[]>(requests.map((each) => [each, []]));
  const yardsticks: (number | null)[] = [];
  for (let round = 0; round < PROCESSES; round++) {
    const service = await scene.start('ours');
    await loadIndex(scene, service);
    await costsOf(service, warmUp);
    const mixed = new Random(SEED, round).sample(requests, count);
    for (const cost of await costsOf(service, mixed)) costsByRequest.get(cost.request)?.push(cost);
    await service.process.stop();
    yardsticks.push(await lookAtYardstick(scene));
  }
  const all = [...costsByRequest.values()];
  return {
    ...{ requests: count, answers: all.flat().length, failed: all.flat().filter(isFailed).length },
    costs: all.map((costs) => middleOf(costs)).toSorted((a, b) => byCost(b, a)),
    yardstick: spreadOfKnown(yardsticks)?.median ?? null,
  };
}

/** A 503 is a good answer to who names a release that is yet to come. */
function isFailed({ status }: Cost): boolean {
  return status >= 500 && status !== 503;
}

async function lookAtYardstick(scene: Scene): Promise<number | null> {
  const limit = await scene.start('limit');
  const spread = await measureYardstick(scene, limit, 5, { connections: 4, secondsPerRound: 0.3 });
  await limit.process.stop();
  return spread?.median ?? null;
}

function drawRequests({ writer, data }: Scene, draw: number, count: number): HostileRequest[] {
  const { manifest } = data.snapshot;
  const stream = new HostileRequests(SEED + draw, {
    token: writer.goodToken,
    ids: data.facts.ids.slice(0, 5_000),
    slugs: data.facts.slugs.slice(0, 5_000),
    releases: [releaseName(1, manifest.release)],
  });
  const requests: HostileRequest[] = [];
  while (requests.length < count) {
    const request = stream.next();
    // The client counts the bytes of a body, which HEAD has none of.
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (request.target.startsWith(OPERATIONS)) requests.push({ ...request, method });
  }
  return requests;
}

/** Every index part, in every language. Documents come with the requests for them. */
async function loadIndex({ writer }: Scene, { port }: RunningContender): Promise<void> {
  const connection = await Connection.open(port);
  const ask = (query: string) => connection.send(writer.writePath(`${LIST_PATH}?${query}`));
  const near = 'position.latitude=48&position.longitude=2&position.radius=50&limit=0';
  await ask(near);
  await ask('verticale.in=BIKE&limit=0');
  await ask(`after=${'0'.repeat(24)}&limit=0`);
  for (const lang of ['', ...LANGUAGES.map((each) => `&lang=${each}`)]) {
    for (const field of Object.keys(SORT_FIELDS)) {
      // By a position, so that no order is made beforehand.
      await ask(`${near}&sort=${field}${lang}`);
    }
  }
  connection.close();
}

async function costsOf(
  { port, process: { pid } }: RunningContender,
  requests: readonly HostileRequest[],
): Promise<Cost[]> {
  let connection = await Connection.open(port);
  const costs: Cost[] = [];
  for (const request of requests) {
    if (!connection.isOpen) connection = await Connection.open(port);
    const before = cpuSeconds(pid);
    const { status, bytes } = await connection.send(write(request)).catch(() => UNSENT);
    const after = cpuSeconds(pid);
    const milliseconds = before === null || after === null ? null : 1000 * (after - before);
    costs.push({ request, status, bytes, milliseconds });
  }
  connection.close();
  return costs;
}

function write({ method, target, headers }: HostileRequest): Uint8Array {
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const all = [
    `${method} ${target} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-length: 0',
    ...lines,
    '',
    '',
  ];
  return Buffer.from(all.join('\r\n'), 'latin1');
}

function middleOf(costs: readonly Cost[]): Cost {
  const sorted = costs.toSorted(byCost);
  return sorted[Math.floor(sorted.length / 2)] as Cost;
}

function byCost(a: Cost, b: Cost): number {
  return (a.milliseconds ?? 0) - (b.milliseconds ?? 0);
}
