/**
 * Error answers in the OpenAPI document: which problems each operation can answer with, and of each
 * operation one answer per status, with an example of each problem.
 */
import { READ_STORES } from '../../src/auth/scope.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
  problemPath,
} from '../../src/http/paths.ts';
import { PROBLEM_TYPE } from '../../src/http/problem-response.ts';
import { PROBLEMS, type ProblemCode } from '../../src/problem.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { headerRefs, POLICY_OF_KNOWN_TOKEN, type ResponseHeader } from './headers.ts';
import {
  CHANGES_REFUSALS,
  GET_REFUSALS,
  HEALTH_REFUSALS,
  LIST_REFUSALS,
  type RefusalExample,
} from './request-examples.ts';
import { componentRef, type Json } from './schemas.ts';

interface OperationProblems {
  /** Path of the request in examples. */
  readonly instance: string;
  readonly codes: readonly ProblemCode[];
  /** Queries that `invalid_parameters` refuses. */
  readonly refusals: readonly RefusalExample[];
}

/** Nothing can be read: of every operation that answers from a release. */
const NO_DATA = ['internal', 'snapshot_missing', 'storage_unreachable'] as const;

/** Of every operation that needs a token. */
const STORES: readonly ProblemCode[] = [
  'invalid_parameters',
  'token_missing',
  'token_malformed',
  'tokens_differ',
  'token_wrong_environment',
  'token_unknown',
  'token_revoked',
  'token_expired',
  'scope_missing',
  'method_not_allowed',
  'rate_limited',
  'address_limited',
  ...NO_DATA,
];

/** By the id of the operation. */
const OPERATION_PROBLEMS = {
  listStores: { instance: LIST_PATH, codes: STORES, refusals: LIST_REFUSALS },
  listChanges: {
    instance: CHANGES_PATH,
    codes: [...STORES, 'release_gone', 'release_not_here_yet'],
    refusals: CHANGES_REFUSALS,
  },
  getStore: {
    instance: `${LIST_PATH}/${EXAMPLE_STORE.slug}`,
    codes: [...STORES, 'store_unknown', 'rental_point_unknown'],
    refusals: GET_REFUSALS,
  },
  getHealth: {
    instance: HEALTH_PATH,
    codes: ['invalid_parameters', 'method_not_allowed', ...NO_DATA, 'run_overdue'],
    refusals: HEALTH_REFUSALS,
  },
  getOpenApi: { instance: OPENAPI_PATH, codes: ['method_not_allowed'], refusals: [] },
  getDocs: { instance: DOCS_PATH, codes: ['method_not_allowed'], refusals: [] },
  getProblemPage: {
    instance: PROBLEM_PATH.replace(':code', 'no-such-code'),
    codes: ['method_not_allowed', 'route_unknown'],
    refusals: [],
  },
} as const satisfies Record<string, OperationProblems>;

export type OperationId = keyof typeof OPERATION_PROBLEMS;

/** The header that answers of a status have, besides the id of the request. */
const STATUS_HEADERS: Readonly<Record<number, ResponseHeader>> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};

/** Statuses that are answered without a good token alone. */
const BEFORE_TOKEN = [401, 405];

/** Whether an answer of this status may follow a good token: of an operation that asks for one. */
const isAfterToken = (status: number, { codes }: OperationProblems): boolean =>
  codes.includes('token_unknown') && !BEFORE_TOKEN.includes(status);

/** `detail` of an example, where the help text of the problem would not do. */
const EXAMPLE_DETAILS: { readonly [code in ProblemCode]?: string } = {
  scope_missing: `The token lacks the scope ${READ_STORES}.`,
};

/** The problems of an operation, each status with what the document refers to. */
export function problemsOf(operation: OperationId): Json {
  return Object.fromEntries(
    statusesOf(OPERATION_PROBLEMS[operation]).map((status) => [
      status,
      { $ref: `#/components/responses/${componentName(operation, status)}` },
    ]),
  );
}

/** The responses that the operations refer to. */
export function problemResponses(): Json {
  const operations = Object.keys(OPERATION_PROBLEMS) as OperationId[];
  return Object.fromEntries(
    operations.flatMap((operation) =>
      statusesOf(OPERATION_PROBLEMS[operation]).map((status) => [
        componentName(operation, status),
        problemResponse(status, OPERATION_PROBLEMS[operation]),
      ]),
    ),
  );
}

/** `ListChanges503`: the same status means other problems elsewhere. */
const componentName = (operation: OperationId, status: number): string =>
  `${operation.slice(0, 1).toUpperCase()}${operation.slice(1)}${status}`;

const statusesOf = ({ codes }: OperationProblems): readonly number[] => [
  ...new Set(codes.map((code) => PROBLEMS[code].status)),
];

function problemResponse(status: number, problems: OperationProblems): Json {
  const header = STATUS_HEADERS[status];
  const codes = problems.codes.filter((code) => PROBLEMS[code].status === status);
  return {
    description: codes.map((code) => PROBLEMS[code].title).join('; '),
    headers: {
      ...headerRefs('x-request-id', ...(header ? [header] : [])),
      ...(isAfterToken(status, problems) ? POLICY_OF_KNOWN_TOKEN : {}),
    },
    content: {
      [PROBLEM_TYPE]: {
        schema: componentRef('Problem'),
        examples: Object.assign({}, ...codes.map((code) => examplesOf(code, problems))),
      },
    },
  };
}

/** Examples of a kind of problem by name: of faulty queries there are several. */
function examplesOf(code: ProblemCode, problems: OperationProblems): Json {
  if (code !== 'invalid_parameters') {
    return { [code]: { summary: PROBLEMS[code].title, value: exampleOf(code, problems) } };
  }
  const refusals = problems.refusals.map((example) => {
    const { name, summary, request } = example;
    return [name, { summary, description: `\`GET ${request}\``, value: refusal(example) }] as const;
  });
  return Object.fromEntries(refusals);
}

/** An example of a problem of this kind, of an operation that can answer with it. */
export function exampleProblem(code: ProblemCode): Json {
  return exampleOf(code, operationWith(code));
}

/** The first operation that can answer with this problem; every problem is one of some operation. */
function operationWith(code: ProblemCode): OperationProblems {
  const all: readonly OperationProblems[] = Object.values(OPERATION_PROBLEMS);
  const found = all.find(({ codes }) => codes.includes(code));
  if (!found) throw new Error(`no operation answers with ${code}`);
  return found;
}

function exampleOf(code: ProblemCode, { instance, refusals }: OperationProblems): Json {
  const [faulty] = refusals;
  if (code === 'invalid_parameters' && faulty) return refusal(faulty);
  return body(code, EXAMPLE_DETAILS[code] ?? PROBLEMS[code].help, instance);
}

function refusal({ request, errors }: RefusalExample): Json {
  const [first, ...others] = errors;
  const detail =
    first && others.length === 0
      ? `"${first.parameter}": ${first.detail}`
      : `${errors.length} faults, see errors.`;
  const instance = request.split('?')[0] ?? '';
  return { ...body('invalid_parameters', detail, instance), errors };
}

function body(code: ProblemCode, detail: string, instance: string): Json {
  const { title, status } = PROBLEMS[code];
  return { type: problemPath(code), title, status, detail, instance, code };
}
