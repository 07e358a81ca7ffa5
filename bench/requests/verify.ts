/** Checks that a contender answers what the service answers, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import type { WholeAnswer } from '../client/connection.ts';
import type { PreparedRequest } from '../client/drive.ts';
import type { LastingConnection } from '../client/lasting-connection.ts';
import type { ContenderName } from '../server/configuration.ts';
import type { CaseName } from './request.ts';

const OK = 200;

/** Whether a contender takes part in a case: the plain apps make no entity tags. */
export function takesPart(contender: ContenderName, name: CaseName): boolean {
  return name !== 'not-modified' || contender === 'ours' || contender === 'limit';
}

/** @throws Error that names the first request answered differently */
export async function verifyAnswers(
  contender: ContenderName,
  connection: LastingConnection,
  service: LastingConnection,
  requests: readonly PreparedRequest[],
): Promise<void> {
  for (const { bytes } of requests) {
    const expected = await service.fetch(bytes);
    const answer = await connection.fetch(bytes);
    const fault = compareAnswers(answer, expected);
    if (!fault) continue;
    const [line] = Buffer.from(bytes).toString('latin1').split('\r\n', 1);
    throw new Error(`${contender}, ${line}: ${fault}`);
  }
}

/** What is different, or null. Contenders word their refusals differently. */
function compareAnswers(answer: WholeAnswer, expected: WholeAnswer): string | null {
  if (answer.status !== expected.status) {
    return `got status ${answer.status}, expected ${expected.status}`;
  }
  if (expected.status !== OK) return null;
  const isEqual = isDeepStrictEqual(parseBody(answer), parseBody(expected));
  return isEqual ? null : 'the answers are not equal';
}

function parseBody({ body }: WholeAnswer): unknown {
  return JSON.parse(body.toString());
}
