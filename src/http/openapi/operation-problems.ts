/** Which problems each operation can answer with, and what the examples of them ask for. */
import type { ProblemCode } from '../../problem.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
} from '../paths.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import {
  CHANGES_REFUSALS,
  GET_REFUSALS,
  HEALTH_REFUSALS,
  LIST_REFUSALS,
  type RefusalExample,
} from './request-examples.ts';

export interface OperationProblems {
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
export const OPERATION_PROBLEMS = {
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

/** The first operation that can answer with this problem; every problem is one of some operation. */
export function operationWith(code: ProblemCode): OperationProblems {
  const all: readonly OperationProblems[] = Object.values(OPERATION_PROBLEMS);
  const found = all.find(({ codes }) => codes.includes(code));
  if (!found) throw new Error(`no operation answers with ${code}`);
  return found;
}
