/** What it takes to put stores in an order of two keys that is not held yet. */
import { milliseconds } from '../report/format.ts';
import type { BenchRequest } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { RunningContender } from '../server/contender.ts';
import { grown, type Run } from './run.ts';
import { spreadOfKnown, takeTurn, UNTIL_ALL_ARE_SENT } from './turn.ts';

/** Orders of two keys that are made in a round: an isolate holds about twenty at 100,000 stores. */
const ORDERS = 8;
/** Pages of each order that are asked for once it is held. */
const PAGES_OF_ORDER = 4;

const ORDER_CPU = 8;

export async function measureOrders(run: Run, service: RunningContender): Promise<void> {
  const { scene, rounds, findings, slowness, where } = run;
  const stream = new RequestStream('sorted', 'orders', scene.data.facts);
  const ask = async (requests: readonly BenchRequest[]) => {
    const prepared = await scene.writer.prepareAll(requests);
    return (await takeTurn(service, prepared, 'once', UNTIL_ALL_ARE_SENT)).cpu;
  };
  const added: (number | null)[] = [];
  for (let round = -1; round < rounds; round++) {
    const requests = stream.take(ORDERS);
    const made = await ask(requests);
    const held = await ask(requests.flatMap(otherPages));
    if (round >= 0) added.push(made === null || held === null ? null : made - held);
  }
  const what = `whole, ${where}: CPU for making an order of two keys`;
  const words = `${ORDER_CPU} ms${grown(run)}`;
  findings.atMost(what, milliseconds, '', spreadOfKnown(added), ORDER_CPU * slowness, words);
}

/** Other pages in the order of `request`, in front of its own. */
function otherPages(request: BenchRequest): BenchRequest[] {
  const skip = Number(/skip=(\d+)/.exec(request.path)?.[1] ?? 0);
  return Array.from({ length: PAGES_OF_ORDER }, (_, page) => {
    const other = Math.floor((skip * page) / PAGES_OF_ORDER);
    return { ...request, path: request.path.replace(/skip=\d+/, `skip=${other}`) };
  });
}
