/** The paths of the OpenAPI document, each with its operation. */
import * as z from 'zod';
import { STORE_PATH } from '../../src/http/paths.ts';
import { LIST_GROUPS } from '../../src/http/query/list-query.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import { headerRefs, REQUEST_HEADERS } from './headers.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { bodyOf, problemsOf, type ResponseObject } from './problem-responses.ts';
import { parameterSchema, type Schema } from './schemas.ts';

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

/** The parameter of `STORE_PATH`. Only the release that answers knows which ids and slugs there are. */
const STORE_PARAMETER = {
  name: 'id',
  in: 'path',
  required: true,
  description:
    'Id of the store, in upper or lower case, or its slug, letter for letter. The example is invented: take ' +
    'one from the list of stores.',
  schema: { type: 'string' },
  example: EXAMPLE_STORE.slug,
};

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
  const { id, path, summary, description, needsToken, inQuery } = operation;
  const parameters = [
    ...(path === STORE_PATH ? [STORE_PARAMETER] : []),
    ...Object.entries(inQuery.shape).map(([name, schema]) =>
      queryParameter(name, schema as z.ZodType),
    ),
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

/** The group of each parameter that lists take. */
const GROUP_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LIST_GROUPS).flatMap(([group, shape]) =>
    Object.keys(shape).map((name) => [name, group]),
  ),
);

/** Returns the description of a query parameter. */
function queryParameter(name: string, parameter: z.ZodType) {
  const { description, example = '' } = parameter.meta() ?? {};
  const schema = parameterSchema(parameter);
  const isArray = schema.type === 'array';
  return {
    name,
    in: 'query',
    'x-group': GROUP_OF.get(name),
    required: !(parameter instanceof z.ZodOptional),
    description: isArray
      ? `${description} An array: \`${name}=a,b\`. \`${name}=a&${name}=b\` and \`${name}[]=a&${name}[]=b\` mean the same.`
      : description,
    ...(isArray && { style: 'form', explode: false }),
    schema,
    example: isArray ? example.split(',') : exampleOf(schema, example),
  };
}

/** Returns an example of its type. A schema that refers to an enumeration is a word. */
function exampleOf({ type = 'string' }: Schema, example: string): string | number | boolean {
  return type === 'string' ? example : JSON.parse(example);
}

function answers(operation: Operation): Record<string, ResponseObject> {
  const { needsToken, answer, schema, examples, headers } = operation;
  const content = bodyOf('application/json', schema, examples);
  if (!needsToken) return { 200: { description: answer, content, headers: headerRefs(headers) } };
  // A 304 leads to no page, and the kept answer says how its words were read.
  const headersOf304 = headers.filter((name) => name === 'x-open-at');
  return {
    200: { description: answer, content, headers: headerRefs([...STORE_HEADERS, ...headers]) },
    304: {
      description: 'The answer named by If-None-Match is still current.',
      headers: headerRefs([...STORE_HEADERS, ...headersOf304]),
    },
  };
}
