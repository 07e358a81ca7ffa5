/**
 * What the first request of a fresh isolate costs. KV is in another process here, as it is on
 * another machine in production, so that the CPU is the isolate's and that of its server alone.
 */
import { generateStore } from '../../scripts/fixtures/store.ts';
import { Connection } from '../client/connection.ts';
import type { FirstRequestResult } from '../report/results.ts';
import { spreadOf } from '../report/statistics.ts';
import { STORE_OPTIONS } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import { cpuSeconds } from './process-cost.ts';

const GET_PATH = `/v2/external/stores/${generateStore(0, STORE_OPTIONS).id}`;

const FIRST_REQUESTS: readonly (readonly [title: string, path: string])[] = [
  ['one store, by id', GET_PATH],
  ['list 20', '/v2/external/stores?limit=20'],
  [
    'nearest 20 in 25 km',
    '/v2/external/stores?position.latitude=48.86&position.longitude=2.35&position.radius=25&limit=20',
  ],
];

/** Starts the service `times` for each kind of first request. */
export async function measureFirstRequests(
  scene: Scene,
  times: number,
): Promise<FirstRequestResult[]> {
  const results: FirstRequestResult[] = [];
  const { kvPort, process: kv } = await scene.start('empty');
  for (const [title, path] of FIRST_REQUESTS) {
    const request = scene.write(path);
    const cpu: number[] = [];
    const milliseconds: number[] = [];
    for (let time = 0; time < times; time++) {
      const sample = await measureOnce(scene, request, kvPort);
      if (sample.cpu !== null) cpu.push(sample.cpu);
      milliseconds.push(sample.milliseconds);
    }
    const spread = cpu.length > 0 ? spreadOf(cpu) : null;
    results.push({ title, cpu: spread, milliseconds: spreadOf(milliseconds) });
  }
  await kv.stop();
  return results;
}

async function measureOnce(scene: Scene, request: Uint8Array, kvPort: number) {
  const { process, port } = await scene.start('ours', { kvPort });
  const connection = await Connection.open(port);
  const before = cpuSeconds(process.pid);
  const start = performance.now();
  const { status } = await connection.send(request);
  const milliseconds = performance.now() - start;
  const after = cpuSeconds(process.pid);
  connection.close();
  await process.stop();
  if (status !== 200) throw new Error(`the first request was answered with ${status}`);
  return { cpu: before === null || after === null ? null : (after - before) * 1000, milliseconds };
}
