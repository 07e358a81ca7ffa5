/** Checks that a contender answers what the service answers, before anything is timed. */
import { isDeepStrictEqual } from 'node:util';
import type { Connection, WholeAnswer } from '../client/connection.ts';
import type { ContenderName } from '../server/contender.ts';
import type { PreparedCase } from './prepare-requests.ts';
import type { CaseName } from './request.ts';

const OK = 200;

/** Whether a contender takes part in a case: the plain apps make no entity tags. */
export function takesPart(contender: ContenderName, name: CaseName): boolean {
  return name !== 'not-modified' || contender === 'ours' || contender === 'limit';
}

/** @throws Error that names the first request answered differently */
export async function verifyAnswers(
  contender: ContenderName,
  connection: Connection,
  cases: readonly PreparedCase[],
): Promise<void> {
  for (const { name, requests, prepared, answers } of cases) {
    if (!takesPart(contender, name)) continue;
    for (const [index, { bytes }] of prepared.entries()) {
      const answer = await connection.fetch(bytes);
      const expected = answers[index] as WholeAnswer;
      const fault = compareAnswers(answer, expected, contender === 'limit');
      if (fault) throw new Error(`${contender}, ${requests[index]?.path}: ${fault}`);
    }
  }
}

/** What is different, or null. The limit has bytes of the right length, not the right bytes. */
function compareAnswers(
  answer: WholeAnswer,
  expected: WholeAnswer,
  lengthOnly: boolean,
): string | null {
  if (answer.status !== expected.status) {
    return `got status ${answer.status}, expected ${expected.status}`;
  }
  if (lengthOnly || expected.status !== OK) {
    const isLong = !lengthOnly || answer.bytes === expected.bytes;
    return isLong ? null : `got ${answer.bytes} bytes, expected ${expected.bytes}`;
  }
  const isEqual = isDeepStrictEqual(parseBody(answer), parseBody(expected));
  return isEqual ? null : 'the answers are not equal';
}

function parseBody({ body }: WholeAnswer): unknown {
  return JSON.parse(body.toString());
}
