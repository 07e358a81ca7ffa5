/** Paths of the OpenAPI document. */
import type { z } from 'zod';
import { MOST_READS } from '../../load/named-releases.ts';
import { problemPathSchema, storePathSchema } from '../path-parameters.ts';
import {
  CHANGES_PATH,
  DOCS_PATH,
  HEALTH_PATH,
  LIST_PATH,
  OPENAPI_PATH,
  PROBLEM_PATH,
  STORE_PATH,
} from '../paths.ts';
import { CHANGES_PARAMETERS } from '../query/changes-parameters.ts';
import { SINCE, UNTIL } from '../query/copy-parameters.ts';
import { GET_PARAMETERS } from '../query/get-parameters.ts';
import { HEALTH_PARAMETERS } from '../query/health-parameters.ts';
import { LIST_PARAMETERS } from '../query/list-parameters.ts';
import type { Parameter } from '../query/parameter.ts';
import type { ParameterSet } from '../query/parameter-set.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { headerRefs, REQUEST_HEADERS } from './headers.ts';
import { problemResponseRef } from './problem-responses.ts';
import { componentRef, inlineSchema, type Json, storeOrSelection } from './schemas.ts';

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

/** Problems that both operations on stores can answer with. */
const COMMON_STATUSES = [400, 401, 403, 405, 429, 500, 503];

export function paths(): Json {
  return {
    [LIST_PATH]: { get: listOperation() },
    [CHANGES_PATH]: { get: changesOperation() },
    [templated(STORE_PATH)]: { get: getOperation() },
    [HEALTH_PATH]: { get: healthOperation() },
    [OPENAPI_PATH]: { get: openOperation('getOpenApi', 'This document', 'application/json') },
    [DOCS_PATH]: { get: openOperation('getDocs', 'The documentation', 'text/html') },
    [templated(PROBLEM_PATH)]: { get: problemPageOperation() },
  };
}

/** What OpenAPI says of a query parameter. */
export function parameterObject(parameter: Parameter): Json {
  const { name, array, description, example } = parameter;
  const item = inlineSchema(parameter.schema);
  return {
    name,
    in: 'query',
    required: parameter.required ?? false,
    description: array
      ? `${description} An array: repeated, separated by commas, or as ${name}[].`
      : description,
    ...(array && { style: 'form', explode: true }),
    schema: array ? { type: 'array', minItems: 1, items: item } : item,
    example: array ? example.split(',') : exampleOf(item, example),
  };
}

function listOperation(): Json {
  const example = { total: 1, docs: [{ ...EXAMPLE_STORE, distance: 1.204 }] };
  return {
    operationId: 'listStores',
    tags: ['stores'],
    summary: 'List stores',
    description:
      'Lists stores. All filters must hold. Parameters that the operation does not have are refused, never ignored.',
    parameters: [...queryParameters(LIST_PARAMETERS), ...REQUEST_HEADERS],
    responses: {
      200: withLink(storeResponse('The page of stores.', componentRef('StoreList'), example)),
      304: notModified(),
      ...problems(COMMON_STATUSES),
    },
  };
}

function changesOperation(): Json {
  const docs = [{ id: EXAMPLE_STORE.id, slug: EXAMPLE_STORE.slug, change: 'changed' }];
  const example = { release: UNTIL.example, since: SINCE.example, total: 1, docs };
  return {
    operationId: 'listChanges',
    tags: ['stores'],
    summary: 'List which stores differ between two releases',
    description: `For keeping a copy: which stores were added, changed or removed since a release, in the order of ids. Releases that were live within the last eight days are kept; a 410 says that one is not, and the copy is made anew by a walk of the whole list. Whatever names are made up, a request begins at most ${MOST_READS} reads to find its releases.`,
    parameters: [...queryParameters(CHANGES_PARAMETERS), ...REQUEST_HEADERS],
    responses: {
      200: withLink(storeResponse('The page of changes.', componentRef('ChangeList'), example)),
      304: notModified(),
      ...problems([...COMMON_STATUSES, 410]),
    },
  };
}

function getOperation(): Json {
  return {
    operationId: 'getStore',
    tags: ['stores'],
    summary: 'Get one store',
    parameters: [
      ...pathParameters(storePathSchema),
      ...queryParameters(GET_PARAMETERS),
      ...REQUEST_HEADERS,
    ],
    responses: {
      200: storeResponse('The store.', storeOrSelection(), EXAMPLE_STORE),
      304: notModified(),
      ...problems([...COMMON_STATUSES, 404]),
    },
  };
}

function healthOperation(): Json {
  return {
    operationId: 'getHealth',
    tags: ['service'],
    summary: 'Whether stores can be served, from which release, and when publishing last ran',
    security: [],
    parameters: queryParameters(HEALTH_PARAMETERS),
    responses: {
      200: {
        description: 'Stores can be served, and publishing has run in time if that is asked.',
        headers: headerRefs('x-snapshot-release', 'x-request-id'),
        content: { 'application/json': { schema: componentRef('Health') } },
      },
      ...problems([400, 405, 500, 503]),
    },
  };
}

function problemPageOperation(): Json {
  const page = openOperation('getProblemPage', 'What a kind of problem means', 'text/html');
  return {
    ...page,
    parameters: pathParameters(problemPathSchema),
    responses: { ...Object(page.responses), ...problems([404]) },
  };
}

function openOperation(operationId: string, summary: string, type: string): Json {
  const schema = { type: type === 'text/html' ? 'string' : 'object' };
  return {
    operationId,
    tags: ['service'],
    summary,
    security: [],
    responses: {
      200: {
        description: `${summary}.`,
        headers: headerRefs('x-request-id'),
        content: { [type]: { schema } },
      },
      ...problems([405]),
    },
  };
}

function storeResponse(description: string, schema: Json, example: unknown): Json {
  return {
    description,
    headers: STORE_HEADERS,
    content: { 'application/json': { schema, example } },
  };
}

/** The response of a list, which may go on. */
function withLink(response: Json): Json {
  return { ...response, headers: { ...Object(response.headers), ...headerRefs('link') } };
}

function notModified(): Json {
  return {
    description: 'The answer named by If-None-Match is still current.',
    headers: STORE_HEADERS,
  };
}

function problems(statuses: readonly number[]): Json {
  return Object.fromEntries(statuses.map((status) => [status, problemResponseRef(status)]));
}

function pathParameters({ shape }: z.ZodObject): Json[] {
  return Object.entries(shape).map(([name, rule]) => {
    const { description, example, ...schema } = inlineSchema(rule as z.ZodType);
    const shown = example === undefined ? {} : { example };
    return { name, in: 'path', required: true, description, schema, ...shown };
  });
}

function queryParameters({ parameters }: ParameterSet): Json[] {
  return parameters.map(parameterObject);
}

/** Hono's `:name` as OpenAPI's `{name}`. */
function templated(path: string): string {
  return path.replace(/:(\w+)/, '{$1}');
}

function exampleOf({ type }: Json, example: string): string | number {
  return type === 'string' ? example : Number(example);
}
