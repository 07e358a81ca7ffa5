/**
 * Error answers in the OpenAPI document: of each operation one answer per status, with an example of each
 * problem, as the service makes it.
 */
import { READ_STORES } from '../../src/auth/token-record.ts';
import { PROBLEM_TYPE, problemBody } from '../../src/http/problem-body.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { headerRefs } from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import type { ShownExample } from './request-examples.ts';
import { componentRef, type Json, type Schema } from './schemas.ts';

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<number, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Statuses of answers to requests without a good token. */
const BEFORE_TOKEN = [401, 405];

/** A path without an operation. */
const UNKNOWN_PATH = '/v2/external/shops';

/** What an operation answers with one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Json;
  readonly content?: ReturnType<typeof bodyOf>;
}

/** Returns the problems of an operation by their statuses. */
export function problemsOf(operation: Operation): Record<string, ResponseObject> {
  const byStatus = Map.groupBy(operation.codes, (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, problemResponse(status, codes, operation)]),
  );
}

/** Returns an example of a problem of this kind, of the first operation that can answer with it. */
export function exampleProblem(code: ProblemCode): unknown {
  const operation = OPERATIONS.find(({ codes }) => codes.includes(code));
  const [example] = operation ? examplesOf(code, operation) : [plainExample(code, UNKNOWN_PATH)];
  return example?.answer;
}

function problemResponse(
  status: number,
  codes: readonly ProblemCode[],
  operation: Operation,
): ResponseObject {
  const header = STATUS_HEADERS[status];
  const isAfterToken = operation.needsToken && !BEFORE_TOKEN.includes(status);
  const names = ['x-request-id', header ?? [], isAfterToken ? 'ratelimit-policy' : []].flat();
  const examples = codes.flatMap((code) => examplesOf(code, operation));
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: headerRefs(names),
    content: bodyOf(PROBLEM_TYPE, componentRef('Problem'), examples),
  };
}

/** Returns examples of a kind of problem: of faulty queries there are several. */
function examplesOf(code: ProblemCode, operation: Operation): readonly ShownExample[] {
  if (code === 'invalid_parameters') return operation.refusals;
  return [plainExample(code, operation.path.replace(':id', EXAMPLE_STORE.slug))];
}

function plainExample(code: ProblemCode, instance: string): ShownExample {
  const { title, help } = PROBLEMS[code];
  const detail = code === 'scope_missing' ? `The token lacks the scope ${READ_STORES}.` : help;
  const answer = problemBody(new ProblemError(code, detail), instance);
  return { name: code, summary: title, answer };
}

/** Returns the body of an answer, with the requests of its examples where they tell something. */
export function bodyOf(type: string, schema: Schema, examples: readonly ShownExample[]) {
  const shown = Object.fromEntries(
    examples.map(({ name, summary, request, answer }) => [
      name,
      { summary, ...(request && { description: `\`GET ${request}\`` }), value: answer },
    ]),
  );
  return { [type]: { schema, examples: shown } };
}
