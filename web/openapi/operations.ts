/** The operations of the service, with what the document says of each. */
import { CHANGES_PATH, HEALTH_PATH, LIST_PATH, STORE_PATH } from '../../src/http/paths.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { HEALTH_QUERY } from '../../src/http/query/health-query.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import type { ProblemCode } from '../../src/model/problem.ts';
import { CONDITION_HEADERS, EXAMPLE_RELEASE, headerRefs } from './headers.ts';
import { CHANGES_WORDS, GET_WORDS, HEALTH_WORDS, LIST_WORDS } from './operation-words.ts';
import {
  CHANGES_EXAMPLES,
  CHANGES_REFUSALS,
  EXAMPLE_PATH,
  exampleMap,
  GET_EXAMPLES,
  GET_REFUSALS,
  HEALTH_REFUSALS,
  LIST_EXAMPLES,
  LIST_REFUSALS,
  type RefusalExample,
  type ShownExample,
} from './request-examples.ts';
import { componentRef, type Json, type Schema, storeOrSelection } from './schemas.ts';

/** What the document says of an operation. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly needsToken: boolean;
  readonly inPath?: typeof STORE_PARAMETER;
  readonly inQuery: QuerySchema;
  /** What is special to its answers of status 200 and 304. */
  readonly answer: ResponseObject;
  readonly headers: Json;
  readonly headersOf304?: Json;
  /** The problems that it can answer with. */
  readonly codes: readonly ProblemCode[];
  /** Queries that it refuses. */
  readonly refusals: readonly RefusalExample[];
  /** Path of a request in examples of problems, where its own names no store. */
  readonly instance?: string;
}

/** What an operation answers with one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Json;
  /** By its type. */
  readonly content?: Readonly<Record<string, Body>>;
}

interface Body {
  readonly schema: Schema;
  readonly examples: ReturnType<typeof exampleMap>;
}

/** The parameter of `STORE_PATH`. Only the release that answers knows which ids and slugs there are. */
const STORE_PARAMETER = {
  name: 'id',
  in: 'path',
  required: true,
  description:
    'Id of the store, in upper or lower case, or its slug, letter for letter. The example is invented: take ' +
    'one from the list of stores.',
  schema: { type: 'string' },
  example: 'velos-du-port',
};

/** Problems of every operation that answers from a release: nothing can be read. */
const NO_DATA = ['internal', 'snapshot_missing', 'storage_unreachable'] as const;

/** Problems of every operation that needs a token. */
const STORE_PROBLEMS: readonly ProblemCode[] = [
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
  'query_too_long',
  'rate_limited',
  'address_limited',
  ...NO_DATA,
];

const HEALTH = {
  status: 'ok',
  release: EXAMPLE_RELEASE,
  publishedAt: '2026-11-01T04:05:00.000Z',
  age: 5400,
  storeCount: 2500,
  ranAt: '2026-11-01T05:05:00.000Z',
  ranAge: 1800,
};

/** In the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'listStores',
    path: LIST_PATH,
    summary: 'List stores',
    description: LIST_WORDS,
    needsToken: true,
    inQuery: LIST_QUERY,
    answer: answerOf('The page of stores.', componentRef('StoreList'), LIST_EXAMPLES),
    headers: headerRefs('link', ...Object.keys(CONDITION_HEADERS)),
    headersOf304: headerRefs('x-open-at'),
    codes: STORE_PROBLEMS,
    refusals: LIST_REFUSALS,
  },
  {
    id: 'listChanges',
    path: CHANGES_PATH,
    summary: 'List changes',
    description: CHANGES_WORDS,
    needsToken: true,
    inQuery: CHANGES_QUERY,
    answer: answerOf('The page of changes.', componentRef('ChangeList'), CHANGES_EXAMPLES),
    headers: headerRefs('link'),
    codes: [...STORE_PROBLEMS, 'release_gone', 'release_not_here_yet'],
    refusals: CHANGES_REFUSALS,
  },
  {
    id: 'getStore',
    path: STORE_PATH,
    summary: 'Get one store',
    description: GET_WORDS,
    needsToken: true,
    inPath: STORE_PARAMETER,
    inQuery: STORE_QUERY,
    answer: answerOf('The store.', storeOrSelection(), GET_EXAMPLES),
    headers: {},
    codes: [...STORE_PROBLEMS, 'store_unknown', 'rental_point_unknown'],
    refusals: GET_REFUSALS,
    instance: EXAMPLE_PATH,
  },
  {
    id: 'getHealth',
    path: HEALTH_PATH,
    summary: 'Service health',
    description: HEALTH_WORDS,
    needsToken: false,
    inQuery: HEALTH_QUERY,
    answer: answerOf(
      'Stores can be served and, with `ran-within`, a publication has ended in time.',
      componentRef('Health'),
      [{ name: 'ok', summary: 'A service with stores', answer: HEALTH }],
    ),
    headers: headerRefs('x-snapshot-release', 'x-request-id'),
    codes: [
      'invalid_parameters',
      'method_not_allowed',
      'query_too_long',
      ...NO_DATA,
      'run_overdue',
    ],
    refusals: HEALTH_REFUSALS,
  },
];

function answerOf(
  description: string,
  schema: Schema,
  examples: readonly ShownExample[],
): ResponseObject {
  return {
    description,
    content: { 'application/json': { schema, examples: exampleMap(examples) } },
  };
}
