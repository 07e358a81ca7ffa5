/** Checks that a contender answers what the service answers, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import { ask, type WholeAnswer } from '../client/connection.ts';
import type { CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';

/** @param count requests of each case, of those that come hot and of those that come whole */
export async function compareAnswers(
  scene: Scene,
  { name: contender, port }: RunningContender,
  cases: readonly CaseName[],
  count: number,
): Promise<void> {
  for (const name of cases) {
    for (const purpose of ['hot', 'whole'] as const) {
      const requests = scene.stream(name, purpose).take(count);
      for (const { bytes } of await scene.writer.prepareAll(requests)) {
        const fault = difference(await ask(port, bytes), await ask(scene.service.port, bytes));
        if (!fault) continue;
        const [line] = Buffer.from(bytes).toString('latin1').split('\r\n', 1);
        throw new Error(`${contender}, ${line}: ${fault}`);
      }
    }
  }
}

/** What is different, or null. */
function difference(answer: WholeAnswer, expected: WholeAnswer): string | null {
  if (answer.status !== expected.status) {
    return `got status ${answer.status}, expected ${expected.status}`;
  }
  const [got, wanted] = [answer, expected].map(({ body }) => JSON.parse(body.toString()));
  return isDeepStrictEqual(got, wanted) ? null : 'the answers are not equal';
}
