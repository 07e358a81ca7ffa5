/** Checks that a contender answers what the service answers, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import { ask } from '../client/connection.ts';
import type { CaseName } from '../requests/request.ts';
import type { Scene } from '../scene.ts';
import type { RunningContender } from '../server/contender.ts';

/** Compares the answers. @param count requests of each case, in each of the regimes hot and whole */
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
        const [got, expected] = [await read(port, bytes), await read(scene.service.port, bytes)];
        if (isDeepStrictEqual(got, expected)) continue;
        const [line] = Buffer.from(bytes).toString('latin1').split('\r\n', 1);
        throw new Error(`${contender}, ${line}: the answers are not equal`);
      }
    }
  }
}

async function read(port: number, request: Uint8Array): Promise<unknown> {
  const { status, body } = await ask(port, request);
  return { status, body: JSON.parse(body.toString()) };
}
