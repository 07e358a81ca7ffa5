/** The paths of the OpenAPI document, each with its operation. */
import { headerRefs, REQUEST_HEADERS } from './headers.ts';
import { OPERATIONS, type Operation, type ResponseObject } from './operations.ts';
import { queryParameter } from './parameters.ts';
import { problemsOf } from './problem-responses.ts';

/** Of every answer about stores. */
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

export function paths() {
  return Object.fromEntries(
    OPERATIONS.map((operation) => [
      // Hono's `:name` is OpenAPI's `{name}`.
      operation.path.replace(/:(\w+)/, '{$1}'),
      { get: operationObject(operation) },
    ]),
  );
}

function operationObject(operation: Operation) {
  const { id, summary, description, needsToken, inPath, inQuery } = operation;
  const parameters = [
    ...(inPath ? [inPath] : []),
    ...inQuery.parameters.map(queryParameter),
    ...(needsToken ? REQUEST_HEADERS : []),
  ];
  return {
    operationId: id,
    tags: [needsToken ? 'stores' : 'service'],
    summary,
    description,
    ...(!needsToken && { security: [] }),
    parameters,
    responses: { ...answers(operation), ...problemsOf(operation) },
  };
}

function answers({
  needsToken,
  answer,
  headers,
  headersOf304,
}: Operation): Record<string, ResponseObject> {
  if (!needsToken) return { 200: { ...answer, headers } };
  return {
    200: { ...answer, headers: { ...STORE_HEADERS, ...headers } },
    304: {
      description: 'The answer named by If-None-Match is still current.',
      headers: { ...STORE_HEADERS, ...headersOf304 },
    },
  };
}
