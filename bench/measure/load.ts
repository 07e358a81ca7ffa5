/** Memory of the isolate under a load that its cache cannot hold. */
import { setTimeout as wait } from 'node:timers/promises';
import { Connection } from '../client/connection.ts';
import type { IsolateMemory, LoadResult } from '../report/results.ts';
import { mixedLoad } from '../requests/mixed-load.ts';
import type { Scene } from '../scene.ts';
import { type HeapUsage, Inspector } from './inspector.ts';

const CONNECTIONS = 4;
/** Milliseconds between looks at the memory. */
const LOOK_INTERVAL = 500;
const OK = 200;
const LOAD_SEED = 4;

/**
 * Asks for everything once, and on until `leastSeconds` have passed.
 * @throws Error when a request is not answered with 200
 */
export async function measureLoad(scene: Scene, leastSeconds: number): Promise<LoadResult> {
  const service = await scene.start('ours', { inspect: true });
  const inspector = await Inspector.open(service.process.inspectorPort);
  const paths = mixedLoad(scene.data.storeCount, LOAD_SEED);
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  let next = 0;
  let isDone = false;
  const work = async () => {
    const connection = await Connection.open(service.port);
    while (next < paths.length || seconds() < leastSeconds) {
      const path = paths[next++ % paths.length] as string;
      const { status } = await connection.send(scene.write(path));
      if (status !== OK) throw new Error(`${path} was answered with ${status}`);
    }
    connection.close();
  };
  let peak: IsolateMemory = { heap: 0, buffers: 0 };
  const look = async () => {
    while (!isDone) {
      peak = greater(peak, memoryOf(await inspector.heapUsage()));
      await wait(LOOK_INTERVAL);
    }
  };
  const looking = look();
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  isDone = true;
  await looking;
  const duration = seconds();
  const held = await memoryWithoutGarbage(scene, inspector, service.port);
  const kvReads = await service.countReads();
  inspector.close();
  await service.process.stop();
  return { seconds: duration, requests: next, kvReads, peak, held };
}

async function memoryWithoutGarbage(
  scene: Scene,
  inspector: Inspector,
  port: number,
): Promise<IsolateMemory> {
  const connection = await Connection.open(port);
  const request = scene.write('/v2/external/stores?limit=0');
  // The second collection finds what the first had to keep for finalisers.
  for (let time = 0; time < 2; time++) {
    await inspector.collectGarbage(() => connection.send(request));
    await wait(LOOK_INTERVAL);
    await connection.send(request);
  }
  connection.close();
  return memoryOf(await inspector.heapUsage());
}

function memoryOf({ usedSize, backingStorageSize }: HeapUsage): IsolateMemory {
  return { heap: usedSize, buffers: backingStorageSize };
}

/** The one that is more in all. */
function greater(a: IsolateMemory, b: IsolateMemory): IsolateMemory {
  return b.heap + b.buffers > a.heap + a.buffers ? b : a;
}
