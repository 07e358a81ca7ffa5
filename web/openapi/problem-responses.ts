/**
 * Error answers in the OpenAPI document: of each operation one answer per status, with an example of each
 * problem, as the service makes it.
 */
import { READ_STORES } from '../../src/auth/token-record.ts';
import { PROBLEM_TYPE, problemBody } from '../../src/http/problem-body.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import { headerRefs } from './headers.ts';
import { OPERATIONS, type Operation, type ResponseObject } from './operations.ts';
import { exampleMap, type ShownExample } from './request-examples.ts';
import { componentRef } from './schemas.ts';

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

/** `detail` of an example, where the help text of the problem would not do. */
const EXAMPLE_DETAILS: { readonly [code in ProblemCode]?: string } = {
  scope_missing: `The token lacks the scope ${READ_STORES}.`,
};

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
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: {
      ...headerRefs('x-request-id', ...(header ? [header] : [])),
      ...(isAfterToken && headerRefs('ratelimit-policy')),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: componentRef('Problem'),
        examples: exampleMap(codes.flatMap((code) => examplesOf(code, operation))),
      },
    },
  };
}

/** Returns examples of a kind of problem: of faulty queries there are several. */
function examplesOf(code: ProblemCode, operation: Operation): readonly ShownExample[] {
  const { path, instance = path, refusals, inQuery } = operation;
  if (code === 'invalid_parameters') {
    return refusals.map((each) => ({ ...each, answer: refusal(each.request, inQuery) }));
  }
  return [plainExample(code, instance)];
}

function plainExample(code: ProblemCode, instance: string): ShownExample {
  const { title, help } = PROBLEMS[code];
  const problem = new ProblemError(code, EXAMPLE_DETAILS[code] ?? help);
  return { name: code, summary: title, answer: problemBody(problem, instance) };
}

/** Returns the answer of the service to a request whose query it refuses. */
function refusal(request: string, inQuery: Operation['inQuery']): object {
  const [path = '', query = ''] = request.split('?');
  try {
    readQuery(inQuery, query);
  } catch (error) {
    if (error instanceof ProblemError) return problemBody(error, path);
  }
  throw new Error(`${request} is not refused`);
}
