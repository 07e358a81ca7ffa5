/** What it takes to put stores in an order of two keys that nobody has asked for before. */
import type { OrderResult } from '../report/results.ts';
import type { BenchRequest } from '../requests/request.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { spreadOfKnown, type Turn, type TurnPlan, takeTurn } from './sample.ts';

/** Orders made in a round: an isolate holds about twenty at 100,000 stores. */
const ORDERS = 8;

/** Pages of each order that are asked for once it is held. */
const PAGES = 4;

/** Longer than a turn takes: it ends when every request has been sent once. */
const SECONDS = 60;

export async function measureOrders(
  scene: Scene,
  service: RunningContender,
  rounds: number,
  plan: TurnPlan,
): Promise<OrderResult> {
  const stream = new RequestStream('sorted', 'orders', scene.data.facts);
  const made: Turn[] = [];
  const held: Turn[] = [];
  const ask = async (requests: readonly BenchRequest[]) => {
    const prepared = await scene.writer.prepareAll(requests);
    return takeTurn(service, prepared, 'once', { ...plan, secondsPerRound: SECONDS });
  };
  for (let round = -1; round < rounds; round++) {
    const requests = stream.take(ORDERS);
    const first = await ask(requests);
    const later = await ask(requests.flatMap(otherPages));
    if (round < 0) continue;
    made.push(first);
    held.push(later);
  }
  const added = made.map(({ cpu }, round) => {
    const without = held[round]?.cpu ?? null;
    return cpu === null || without === null ? null : cpu - without;
  });
  return {
    made: spreadOfKnown(made.map(({ cpu }) => cpu)),
    held: spreadOfKnown(held.map(({ cpu }) => cpu)),
    added: spreadOfKnown(added),
  };
}

/** Other pages in the order of `request`, in front of its own. */
function otherPages(request: BenchRequest): BenchRequest[] {
  const skip = Number(/skip=(\d+)/.exec(request.path)?.[1] ?? 0);
  return Array.from({ length: PAGES }, (_, page) => {
    const path = request.path.replace(/skip=\d+/, `skip=${Math.floor((skip * page) / PAGES)}`);
    return { ...request, path };
  });
}
