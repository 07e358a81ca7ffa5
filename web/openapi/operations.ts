/** Paths of the OpenAPI document. */
import { z } from 'zod';
import { problemPathSchema } from '../../src/http/path-parameters.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
  STORE_PATH,
} from '../../src/http/paths.ts';
import { CHANGES_PARAMETERS } from '../../src/http/query/changes-parameters.ts';
import { GET_PARAMETERS } from '../../src/http/query/get-parameters.ts';
import { HEALTH_PARAMETERS } from '../../src/http/query/health-parameters.ts';
import { LIST_PARAMETERS } from '../../src/http/query/list-parameters.ts';
import { conditionHeaderRefs, EXAMPLE_RELEASE, headerRefs, REQUEST_HEADERS } from './headers.ts';

import {
  CHANGES_WORDS,
  DOCS_WORDS,
  GET_WORDS,
  HEALTH_WORDS,
  LIST_WORDS,
  OPENAPI_WORDS,
  PROBLEM_PAGE_WORDS,
} from './operation-words.ts';
import { pathParameters, queryParameters } from './parameters.ts';
import { type OperationId, problemsOf } from './problem-responses.ts';
import {
  CHANGES_EXAMPLES,
  exampleMap,
  GET_EXAMPLES,
  LIST_EXAMPLES,
  type RequestExample,
} from './request-examples.ts';
import { componentRef, type Json, storeOrSelection } from './schemas.ts';

/** Of `STORE_PATH`. Which ids and slugs there are is known to the release that answers. */
const storePathSchema = z.object({
  id: z.string().meta({
    description:
      'Identifier of the store, in any case, or its slug, exactly. That of the example is invented: take ' +
      'one from the list of stores.',
    example: 'velos-du-port',
  }),
});

const STORE_HEADERS = headerRefs(
  'etag',
  'last-modified',
  'cache-control',
  'vary',
  'x-snapshot-release',
  'server-timing',
  'ratelimit-policy',
  'x-request-id',
);

const HTML = {
  'text/html': {
    schema: { type: 'string', description: 'A page.' },
    example: '<!doctype html><title>Rental store directory</title>',
  },
};

const DOCUMENT = {
  'application/json': {
    schema: { type: 'object', description: 'A document of OpenAPI 3.1.' },
    example: { openapi: '3.1.0', info: { title: 'Rental store directory', version: '2.0' } },
  },
};

const HEALTH = {
  status: 'ok',
  release: EXAMPLE_RELEASE,
  publishedAt: '2026-11-01T04:05:00.000Z',
  age: 5400,
  storeCount: 2500,
  ranAt: '2026-11-01T05:05:00.000Z',
  ranAge: 1800,
};

/** The paths of the service, each with its operation. */
export function paths(): Json {
  return {
    [LIST_PATH]: { get: listOperation() },
    [CHANGES_PATH]: { get: changesOperation() },
    [templated(STORE_PATH)]: { get: getOperation() },
    [HEALTH_PATH]: { get: healthOperation() },
    [OPENAPI_PATH]: {
      get: openOperation({
        operationId: 'getOpenApi',
        summary: 'This document',
        description: OPENAPI_WORDS,
        content: DOCUMENT,
      }),
    },
    [DOCS_PATH]: {
      get: openOperation({
        operationId: 'getDocs',
        summary: 'The documentation',
        description: DOCS_WORDS,
        content: HTML,
      }),
    },
    [templated(PROBLEM_PATH)]: { get: problemPageOperation() },
  };
}

function listOperation(): Json {
  return {
    operationId: 'listStores',
    tags: ['stores'],
    summary: 'List stores',
    description: LIST_WORDS,
    parameters: [...queryParameters(LIST_PARAMETERS), ...REQUEST_HEADERS],
    responses: {
      200: withHeaders(
        storeResponse('The page of stores.', componentRef('StoreList'), LIST_EXAMPLES),
        { ...headerRefs('link'), ...conditionHeaderRefs(200) },
      ),
      304: withHeaders(notModified(), conditionHeaderRefs(304)),
      ...problemsOf('listStores'),
    },
  };
}

function changesOperation(): Json {
  return {
    operationId: 'listChanges',
    tags: ['stores'],
    summary: 'List changes',
    description: CHANGES_WORDS,
    parameters: [...queryParameters(CHANGES_PARAMETERS), ...REQUEST_HEADERS],
    responses: {
      200: withHeaders(
        storeResponse('The page of changes.', componentRef('ChangeList'), CHANGES_EXAMPLES),
        headerRefs('link'),
      ),
      304: notModified(),
      ...problemsOf('listChanges'),
    },
  };
}

function getOperation(): Json {
  return {
    operationId: 'getStore',
    tags: ['stores'],
    summary: 'Get one store',
    description: GET_WORDS,
    parameters: [
      ...pathParameters(storePathSchema),
      ...queryParameters(GET_PARAMETERS),
      ...REQUEST_HEADERS,
    ],
    responses: {
      200: storeResponse('The store.', storeOrSelection(), GET_EXAMPLES),
      304: notModified(),
      ...problemsOf('getStore'),
    },
  };
}

function healthOperation(): Json {
  return {
    operationId: 'getHealth',
    tags: ['service'],
    summary: 'Service health',
    description: HEALTH_WORDS,
    security: [],
    parameters: queryParameters(HEALTH_PARAMETERS),
    responses: {
      200: {
        description: 'Stores can be served, and publishing has run in time if that is asked.',
        headers: headerRefs('x-snapshot-release', 'x-request-id'),
        content: { 'application/json': { schema: componentRef('Health'), example: HEALTH } },
      },
      ...problemsOf('getHealth'),
    },
  };
}

function problemPageOperation(): Json {
  const page = openOperation({
    operationId: 'getProblemPage',
    summary: 'What a kind of problem means',
    description: PROBLEM_PAGE_WORDS,
    content: HTML,
  });
  return { ...page, parameters: pathParameters(problemPathSchema) };
}

interface OpenOperation {
  readonly operationId: OperationId;
  readonly summary: string;
  readonly description: string;
  readonly content: Json;
}

function openOperation({ content, ...words }: OpenOperation): Json {
  return {
    ...words,
    tags: ['service'],
    security: [],
    responses: {
      200: { description: `${words.summary}.`, headers: headerRefs('x-request-id'), content },
      ...problemsOf(words.operationId),
    },
  };
}

function storeResponse(
  description: string,
  schema: Json,
  examples: readonly RequestExample[],
): Json {
  return {
    description,
    headers: STORE_HEADERS,
    content: { 'application/json': { schema, examples: exampleMap(examples) } },
  };
}

function withHeaders(response: Json, headers: Json): Json {
  return { ...response, headers: { ...Object(response.headers), ...headers } };
}

function notModified(): Json {
  return {
    description: 'The answer named by If-None-Match is still current.',
    headers: STORE_HEADERS,
  };
}

/** Hono's `:name` as OpenAPI's `{name}`. */
function templated(path: string): string {
  return path.replace(/:(\w+)/, '{$1}');
}
