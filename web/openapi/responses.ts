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

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<string, string>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Headers that an answer gains in turn: once the token is known, once it is admitted, once a release answers. */
const STEPS = ['ratelimit-policy', 'server-timing', 'x-snapshot-release'];

/** How many of these problems of a status have, at least and at most; others have none. */
const STEPS_TAKEN: Readonly<Record<string, readonly [number, number]>> = {
  400: [2, 2],
  403: [1, 1],
  404: [3, 3],
  410: [2, 3],
  414: [2, 2],
  429: [0, 1],
  500: [0, 3],
  503: [0, 3],
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
  const [least, most] = STEPS_TAKEN[status] ?? [0, 0];
  const names = [
    'x-request-id',
    STATUS_HEADERS[status] ?? [],
    needsToken ? STEPS.slice(0, least) : [],
  ];
  // Without a token there is no allowance of one.
  const late = STEPS.slice(needsToken ? least : Math.max(1, least), most);
  const instance = path.replace(':id', store.slug);
  const plain = codes.map((code) => [code, plainExample(code, instance)]);
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: {
      ...headerRefs(names.flat()),
      ...Object.fromEntries(late.map((name) => [name, { ...HEADERS[name], required: false }])),
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
