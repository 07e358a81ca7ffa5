/** The paths of the OpenAPI document, each with its operation. */
import * as z from 'zod';
import { STORE_PATH } from '../../src/http/paths.ts';
import { LIST_GROUPS } from '../../src/http/query/list-query.ts';
import { EXAMPLE_STORE } from './example-store.ts';
import headers from './headers.json' with { type: 'json' };
import { OPERATIONS, type Operation } from './operations.ts';
import { responsesOf } from './responses.ts';
import { parameterSchema, type Schema } from './schemas.ts';

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

/** The parameter of `STORE_PATH`. Only the release that answers knows which ids and slugs there are. */
const STORE_PARAMETER: Parameter = {
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
  const parameters: readonly Parameter[] = [
    ...(path === STORE_PATH ? [STORE_PARAMETER] : []),
    ...Object.entries(inQuery.shape).map(([name, schema]) =>
      queryParameter(name, schema as z.ZodType),
    ),
    ...(needsToken ? (headers.requests as Parameter[]) : []),
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
