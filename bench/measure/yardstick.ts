/** How fast this machine copies and sends: what bars on CPU grow with. */

import type { Spread } from '../report/statistics.ts';
import { withLength } from '../requests/prepare-requests.ts';
import { RequestStream } from '../requests/request-log.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';
import { spreadOfKnown, type TurnPlan, takeTurn } from './sample.ts';

/** Length of the constant answer. */
const BYTES = 900_000;

/** Microseconds of CPU that the limit spends on an answer of 0.9 MB; null if unknown. */
export async function measureYardstick(
  scene: Scene,
  limit: RunningContender,
  rounds: number,
  plan: TurnPlan,
): Promise<Spread | null> {
  const request = new RequestStream('list', 'hot', scene.data.facts).next();
  const requests = [withLength(await scene.writer.prepare(request), BYTES)];
  const cpu: (number | null)[] = [];
  for (let round = -1; round < rounds; round++) {
    const turn = await takeTurn(limit, requests, 'again', plan);
    if (round >= 0) cpu.push(turn.cpu);
  }
  return spreadOfKnown(cpu);
}
