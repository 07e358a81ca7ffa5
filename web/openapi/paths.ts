/** The paths of the OpenAPI document, each with its operation. */
import type { Parameter } from '../../src/parameters/parameter.ts';
import { headerRefs, REQUEST_HEADERS } from './headers.ts';
import { OPERATIONS, type Operation, type ResponseObject } from './operations.ts';
import { problemsOf } from './problem-responses.ts';
import { inlineSchema, type Schema } from './schemas.ts';

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

/** What OpenAPI says of a query parameter. */
function queryParameter(parameter: Parameter) {
  const { name, array, description, example } = parameter;
  const item = inlineSchema(parameter.schema);
  return {
    name,
    in: 'query',
    required: parameter.required ?? false,
    description: array
      ? `${description} An array: \`${name}=a,b\`. \`${name}=a&${name}=b\` and \`${name}[]=a&${name}[]=b\` mean the same.`
      : description,
    ...(array && { style: 'form', explode: false }),
    schema: array ? { type: 'array', minItems: 1, items: item } : item,
    example: array ? example.split(',') : exampleOf(item, example),
  };
}

/** What refers to an enumeration is a word. */
function exampleOf({ type = 'string' }: Schema, example: string): string | number {
  return type === 'string' ? example : Number(example);
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
