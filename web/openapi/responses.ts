/** The answers of operations in the OpenAPI document: one a status, with examples as the service makes them. */
import { READ_STORES } from '../../src/auth/token-record.ts';
import { PROBLEM_TYPE, problemBody } from '../../src/http/problem-body.ts';
import { PROBLEMS, type ProblemCode, ProblemError } from '../../src/model/problem.ts';
import store from './example-store.json' with { type: 'json' };
import examples from './examples.json' with { type: 'json' };
import fragment from './fragment.json' with { type: 'json' };
import type { Operation } from './operations.ts';
import { componentRef, type Schema } from './schemas.ts';

interface Example {
  readonly summary: string;
  /** The request, where the answer needs one to be understood. */
  readonly description?: string;
  readonly value: unknown;
}

/** Examples by names that are stable within an operation and a status. */
type Examples = Readonly<Record<string, Example>>;

/** What an operation answers with one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: ReturnType<typeof bodyOf>;
}

/**
 * Requests with what they answer where `example-store.json` is the only store, by operations and statuses. A test
 * sends every one of them, and compares. A reference stands for the store, as it is answered in English: it has
 * everything that a store can have. It is the store of `docs/examples/full-store.json`.
 */
const EXAMPLES: Readonly<Record<string, Readonly<Record<string, Examples>>>> = JSON.parse(
  JSON.stringify(examples),
  (_, value) => (value?.$ref ? store : value),
);

const HEADERS: Readonly<Record<string, object>> = fragment.components.headers;

/** Headers of every request that got past the token. */
const ADMITTED = ['ratelimit-policy', 'server-timing'];

/** Headers of all problems of a status, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<string, readonly string[]>> = {
  400: ADMITTED,
  401: ['www-authenticate'],
  403: ['ratelimit-policy'],
  404: [...ADMITTED, 'x-snapshot-release'],
  405: ['allow'],
  410: ADMITTED,
  414: ADMITTED,
  429: ['retry-after'],
  503: ['retry-after'],
};

/** Headers that only some problems of a status have: those of requests that came so far. */
const LATE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  410: ['x-snapshot-release'],
  429: ['ratelimit-policy'],
  500: [...ADMITTED, 'x-snapshot-release'],
  503: [...ADMITTED, 'x-snapshot-release'],
};

/** Returns the answers of an operation by their statuses. */
export function responsesOf(operation: Operation): Record<string, ResponseObject> {
  const { id, needsToken, answer, schema, headers, codes } = operation;
  const content = bodyOf('application/json', schema, EXAMPLES[id]?.[200]);
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

function problemResponse(
  status: string,
  codes: readonly ProblemCode[],
  { id, path, needsToken }: Operation,
): ResponseObject {
  const [sure, late] = [STATUS_HEADERS[status] ?? [], LATE_HEADERS[status] ?? []];
  const own = needsToken ? sure : sure.filter((name) => !ADMITTED.includes(name));
  const mayHave = late.filter((name) => needsToken || name !== 'ratelimit-policy');
  const instance = path.replace(':id', store.slug);
  const plain = codes.map((code) => [code, plainExample(code, instance)]);
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: {
      ...headerRefs(['x-request-id', ...own]),
      ...Object.fromEntries(mayHave.map((name) => [name, { ...HEADERS[name], required: false }])),
    },
    // Of faulty queries there are several.
    content: bodyOf(
      PROBLEM_TYPE,
      componentRef('Problem'),
      EXAMPLES[id]?.[status] ?? Object.fromEntries(plain),
    ),
  };
}

function plainExample(code: ProblemCode, instance: string): Example {
  const { title, help } = PROBLEMS[code];
  const detail = code === 'scope_missing' ? `The token lacks the scope ${READ_STORES}.` : help;
  return { summary: title, value: problemBody(new ProblemError(code, detail), instance) };
}

/** Returns references to response headers, by name. */
function headerRefs(names: readonly string[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const bodyOf = (type: string, schema: Schema, examples: Examples = {}) => ({
  [type]: { schema, examples },
});
