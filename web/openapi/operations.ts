/** The operations of the service, with what the document says of each. */
import { CHANGES_PATH, HEALTH_PATH, LIST_PATH, STORE_PATH } from '../../src/http/paths.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { HEALTH_QUERY } from '../../src/http/query/health-query.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import type { ProblemCode } from '../../src/model/problem.ts';
import { CHANGES_WORDS, GET_WORDS, HEALTH_WORDS, LIST_WORDS } from './operation-words.ts';
import { componentRef, type Schema, storeOrSelection } from './schemas.ts';

/** What the document says of an operation. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly needsToken: boolean;
  readonly inQuery: QuerySchema;
  /** Its answer of status 200. */
  readonly answer: string;
  readonly schema: Schema;
  /** Names of the headers of that answer. */
  readonly headers: readonly string[];
  /** The problems that it can answer with. */
  readonly codes: readonly ProblemCode[];
}

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

/** Of every answer about stores. */
const STORE_HEADERS = [
  'etag',
  'last-modified',
  'cache-control',
  'vary',
  'x-snapshot-release',
  'server-timing',
  'ratelimit-policy',
  'x-request-id',
];

/** In the order of the document. */
export const OPERATIONS: readonly Operation[] = [
  {
    id: 'listStores',
    path: LIST_PATH,
    summary: 'List stores',
    description: LIST_WORDS,
    needsToken: true,
    inQuery: LIST_QUERY,
    answer: 'The page of stores.',
    schema: componentRef('StoreList'),
    headers: [...STORE_HEADERS, 'link', 'x-open-at', 'x-search-reading'],
    codes: STORE_PROBLEMS,
  },
  {
    id: 'listChanges',
    path: CHANGES_PATH,
    summary: 'List changes',
    description: CHANGES_WORDS,
    needsToken: true,
    inQuery: CHANGES_QUERY,
    answer: 'The page of changes.',
    schema: componentRef('ChangeList'),
    headers: [...STORE_HEADERS, 'link'],
    codes: [...STORE_PROBLEMS, 'release_gone', 'release_not_here_yet'],
  },
  {
    id: 'getStore',
    path: STORE_PATH,
    summary: 'Get one store',
    description: GET_WORDS,
    needsToken: true,
    inQuery: STORE_QUERY,
    answer: 'The store.',
    schema: storeOrSelection(),
    headers: STORE_HEADERS,
    codes: [...STORE_PROBLEMS, 'store_unknown', 'rental_point_unknown'],
  },
  {
    id: 'getHealth',
    path: HEALTH_PATH,
    summary: 'Service health',
    description: HEALTH_WORDS,
    needsToken: false,
    inQuery: HEALTH_QUERY,
    answer: 'Stores can be served and, with `ran-within`, a publication has ended in time.',
    schema: componentRef('Health'),
    headers: ['x-snapshot-release', 'x-request-id'],
    codes: [
      'invalid_parameters',
      'method_not_allowed',
      'query_too_long',
      ...NO_DATA,
      'run_overdue',
    ],
  },
];
