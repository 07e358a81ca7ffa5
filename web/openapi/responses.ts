/** The answers of operations in the OpenAPI document: one a status, with examples as the service makes them. */
import { READ_STORES } from '../../src/auth/token-record.ts';
import { PROBLEM_TYPE, problemBody } from '../../src/http/problem-body.ts';
import { readQuery } from '../../src/http/query/read-query.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { headerRefs } from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { EXAMPLES } from './request-examples.ts';
import { componentRef, type Json, type Schema } from './schemas.ts';

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<string, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Statuses of answers to requests without a good token. */
const BEFORE_TOKEN = ['401', '405'];

/** A path without an operation. */
const UNKNOWN_PATH = '/v2/external/shops';

/** What an operation answers with one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Json;
  readonly content?: ReturnType<typeof bodyOf>;
}

/** A name in its operation, and an example. */
type Named = readonly [
  string,
  { readonly summary: string; readonly description?: string; readonly value: unknown },
];

/** Returns the answers of an operation by their statuses. */
export function responsesOf(operation: Operation): Record<string, ResponseObject> {
  const { needsToken, answer, schema, headers, codes } = operation;
  const content = bodyOf('application/json', schema, requestsOf(operation, false));
  // A 304 leads to no page, and the kept answer says how its words were read.
  const headersOf304 = headers.filter((name) => name !== 'link' && name !== 'x-search-reading');
  const current = {
    description: 'The answer named by If-None-Match is still current.',
    headers: headerRefs(headersOf304),
  };
  const problems = Object.entries(Object.groupBy(codes, (code) => PROBLEMS[code].status));
  return {
    200: { description: answer, content, headers: headerRefs(headers) },
    ...(needsToken && { 304: current }),
    ...Object.fromEntries(
      problems.map(([status, each]) => [status, problemResponse(status, each, operation)]),
    ),
  };
}

/** Returns an example of a problem of this kind, of the first operation that can answer with it. */
export function exampleProblem(code: ProblemCode): unknown {
  const operation = OPERATIONS.find(({ codes }) => codes.includes(code));
  const [example] = operation ? examplesOf(code, operation) : [plainExample(code, UNKNOWN_PATH)];
  return example?.[1].value;
}

function problemResponse(
  status: string,
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
function examplesOf(code: ProblemCode, operation: Operation): readonly Named[] {
  if (code === 'invalid_parameters') return requestsOf(operation, true);
  return [plainExample(code, operation.path.replace(':id', EXAMPLE_STORE.slug))];
}

function plainExample(code: ProblemCode, instance: string): Named {
  const { title, help } = PROBLEMS[code];
  const detail = code === 'scope_missing' ? `The token lacks the scope ${READ_STORES}.` : help;
  return [code, { summary: title, value: problemBody(new ProblemError(code, detail), instance) }];
}

/** Returns the requests that are answered, or those that are refused. */
function requestsOf({ id, path, inQuery }: Operation, areRefused: boolean): readonly Named[] {
  const shown = Object.entries(EXAMPLES[id]).filter(
    ([, { answer }]) => (answer === undefined) === areRefused,
  );
  return shown.map(([name, { summary, request, answer }]) => {
    const target = path.replace('/:id', '') + request;
    const value = answer ?? refusalOf(target, inQuery);
    return [name, { summary, ...(request && { description: `\`GET ${target}\`` }), value }];
  });
}

/** Returns what the service answers to a request whose query it refuses. */
function refusalOf(target: string, schema: Operation['inQuery']): unknown {
  const [path = '', query = ''] = target.split('?');
  try {
    readQuery(schema, query);
  } catch (error) {
    return problemBody(error as ProblemError, path);
  }
  throw new Error(`${target} is not refused`);
}

function bodyOf(type: string, schema: Schema, examples: readonly Named[]) {
  return { [type]: { schema, examples: Object.fromEntries(examples) } };
}
