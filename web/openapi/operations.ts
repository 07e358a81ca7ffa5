/** The operations of the service, with what the document says of each. */
import { CHANGES_PATH, HEALTH_PATH, LIST_PATH, STORE_PATH } from '../../src/http/paths.ts';
import { CHANGES_QUERY } from '../../src/http/query/changes-query.ts';
import { HEALTH_QUERY } from '../../src/http/query/health-query.ts';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import type { QuerySchema } from '../../src/http/query/query-schema.ts';
import { STORE_QUERY } from '../../src/http/query/store-query.ts';
import type { ProblemCode } from '../../src/model/problem.ts';
import { componentRef, type Schema, storeOrSelection } from './schemas.ts';

// What operations do, in CommonMark: what concerns several parameters, or none, stands here.

const ARRAYS =
  'Write an array as `a=X,Y`, `a=X&a=Y` or `a[]=X&a[]=Y`; repeated values count once, and blanks around a value do not count. An unknown parameter, an empty value, and two values where one is expected are faults: the answer is a 400 that names all of them.';

const LANGUAGE =
  'Localized content comes in `lang` if the store has that language, else in French, else in the default language of the store. Without `lang` it comes in that default. `localization.current` says which language was used.';

const LIST_WORDS = `Returns one page of stores. A store is listed when all filters match it. \`total\` counts all stores that match, on every page. Without parameters you get the first 100 stores in the order of their ids.

${ARRAYS}

Parameters that depend on each other:

- \`position.latitude\`, \`position.longitude\` and \`position.radius\` are given together, or none of them.
- With a position, a store matches when its main location or one of its rental points lies within the radius. \`geo.location\` is then the nearest of its locations, \`rentalPointSlug\` names it if it is a rental point, and stores have \`distance\`. Stores that hide their address do not match.
- \`delivery.latitude\` and \`delivery.longitude\` are given together, or none of them, and not with a position, \`bbox\` or \`after\`.
- With a delivery point, a store matches when it delivers there. \`geo.location\` is then the nearest of its locations, which alone counts, and stores have \`distance\` and \`deliveryPrice\`. Prices are of each store's own currency, and \`modules.delivery.freeDelivery\` is yours to apply. Without \`delivery.postalCode\` and \`delivery.city\` no town is excluded and no special price holds, so send both. Stores that hide their address do not match.
- \`at\` tells of each store in \`opening\` whether it is open at an instant, and until when; \`openAt\` keeps the stores that are open. They may name different instants.
- Names are sorted as in the language \`lang\`; without it by rules common to all languages.
- \`rentalPointSlug\` is for a single store; lists refuse it.

${LANGUAGE}`;

const CHANGES_WORDS = `Lists the stores that were added, changed or removed since a release, in the order of ids, so that you can keep a copy. Then fetch the stores that were added or changed by \`id.in\`, a hundred at a time.

Releases that were live within the last eight days are kept. A 410 means that the release is no longer kept: read the whole list again. A 503 with the code \`release_not_here_yet\` means that the release has not reached this data centre yet: try again after \`Retry-After\` seconds.

Parameters that depend on each other:

- \`until\` is \`since\` or a later release; without it, the live release is compared. For a minute and a half after a publication an answer may still come from the release before.
- \`after\` and \`skip\` are not given together.`;

const GET_WORDS = `Returns one store by its id or its slug. The case of letters matters in a slug, but not in an id. An id or slug that no store has is a 404.

${ARRAYS}

With \`rentalPointSlug\`, \`geo.location\` is that rental point. The slug of the main location is a 404, and so is any rental point of a store that hides its address. Filters, \`sort\`, a position, a delivery point and paging are for lists only; here they are a 400.

${LANGUAGE}`;

const HEALTH_WORDS = `Tells which release answers, how old it is, how many stores it has and when a publication last ended. The status is 503 when nothing can be served. With \`ran-within\` it is also 503 when no publication has ended within that many seconds: an uptime monitor that asks \`GET ${HEALTH_PATH}?ran-within=10800\` notices a stopped job within three hours. No token is needed.`;

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
    headers: ['x-snapshot-release', 'server-timing', 'x-request-id'],
    codes: [
      'invalid_parameters',
      'method_not_allowed',
      'query_too_long',
      ...NO_DATA,
      'run_overdue',
    ],
  },
];
