/** What requests cost the service besides time: values read from KV, bytes allocated. */
import { Connection } from '../client/connection.ts';
import type { CostResult } from '../report/results.ts';
import type { PreparedCase } from '../requests/prepare-requests.ts';
import type { Scene } from '../scene.ts';
import { Inspector } from './inspector.ts';

/** Requests that allocations are counted over: enough for samples of 8 kB. */
const COUNTED_REQUESTS = 400;

/** Measures every case in an isolate of its own. */
export async function measureCosts(scene: Scene): Promise<CostResult[]> {
  const costs: CostResult[] = [];
  for (const group of scene.cases) costs.push(await measureCase(scene, group));
  return costs;
}

async function measureCase(scene: Scene, group: PreparedCase): Promise<CostResult> {
  const service = await scene.start('ours', { inspect: true });
  const connection = await Connection.open(service.port);
  const askAll = async () => {
    for (const { bytes } of group.prepared) await connection.send(bytes);
    return service.countReads();
  };
  // The index, the token and the pointer are read once an isolate, by whichever request comes first.
  await connection.send(scene.write('/v2/external/stores?limit=0'));
  const start = await service.countReads();
  const cold = await askAll();
  const warm = await askAll();
  const inspector = await Inspector.open(service.process.inspectorPort);
  const rounds = Math.ceil(COUNTED_REQUESTS / group.prepared.length);
  const allocated = await inspector.countAllocations(async () => {
    for (let round = 0; round < rounds; round++) await askAll();
  });
  inspector.close();
  connection.close();
  await service.process.stop();
  return {
    name: group.name,
    title: group.title,
    heapBytes: allocated / (rounds * group.prepared.length),
    coldReads: cold - start,
    warmReads: warm - cold,
    requests: group.prepared.length,
  };
}
