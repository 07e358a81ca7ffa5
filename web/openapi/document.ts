/**
 * `GET /openapi.json`: the OpenAPI 3.1 document, made of what the service itself uses when the pages are
 * built, and of a fragment: what no code decides.
 *
 * It is the same wherever it is served: nothing in it comes from the request or the environment.
 */
import * as z from 'zod';
import { DOCS_PATH, STORE_PATH } from '../../src/http/paths.ts';
import { LIST_GROUPS } from '../../src/http/query/list-query.ts';
import fragment from './fragment.json' with { type: 'json' };
import { OPERATIONS, type Operation } from './operations.ts';
import { responsesOf } from './responses.ts';
import { componentSchemas, parameterSchema, type Schema } from './schemas.ts';

const DESCRIPTION = `Read-only access to the public profile and settings of rental stores.

Every operation on stores needs an access token with the scope \`stores:read:GET\`, in the header \`x-access-token\` (\`x-api-key\` is accepted too). Tokens that contain \`sk_test_\` work in staging and on a machine of your own, those that contain \`sk_live_\` in production. The operator of the service issues them.

HEAD is answered wherever GET is. Errors are \`application/problem+json\` (RFC 9457) with a stable \`code\`. Later answers may have more fields than the schemas: ignore those that you do not know. For people there is a manual at \`${DOCS_PATH}\`.`;

const INFO = {
  title: 'Rental store directory',
  version: '2.0',
  summary: 'Public profile and settings of rental stores, read-only.',
  description: DESCRIPTION,
  contact: { name: 'The operator of the service, who issued your access token' },
  // No public licence: use is agreed with the operator.
  license: { name: 'For partners of the operator', identifier: 'LicenseRef-Partner' },
};

const { components, ...base } = fragment;
const { id: STORE_PARAMETER, ...REQUEST_HEADERS } = components.parameters;

/** A parameter of an operation, as the document has it. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  /** The group of parameters of lists that it belongs to. */
  readonly 'x-group'?: string | undefined;
  readonly required: boolean;
  readonly description: string | undefined;
  readonly schema: Schema;
  readonly example: unknown;
}

/** Returns the document as an object. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: INFO,
    ...base,
    paths: paths(),
    components: {
      schemas: componentSchemas(),
      headers: components.headers,
      securitySchemes: components.securitySchemes,
    },
  };
}

/** Returns the paths, each with its operation. */
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
  const parameters: readonly Parameter[] = [
    // Only the release that answers knows which ids and slugs there are.
    ...(path === STORE_PATH ? [STORE_PARAMETER as Parameter] : []),
    ...Object.entries(inQuery.shape).map(([name, schema]) =>
      queryParameter(name, schema as z.ZodType),
    ),
    ...(needsToken ? (Object.values(REQUEST_HEADERS) as Parameter[]) : []),
  ];
  return {
    operationId: id,
    tags: [needsToken ? 'stores' : 'service'],
    summary,
    description,
    ...(!needsToken && { security: [] }),
    parameters,
    responses: responsesOf(operation),
  };
}

/** Returns the description of a query parameter. */
function queryParameter(name: string, parameter: z.ZodType): Parameter {
  const { description, example = '' } = parameter.meta() ?? {};
  const schema = parameterSchema(parameter);
  const isArray = schema.type === 'array';
  const [group] = Object.entries(LIST_GROUPS).find(([, shape]) => name in shape) ?? [];
  return {
    name,
    in: 'query',
    'x-group': group,
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
