/** Query parameters in the OpenAPI document. */
import type { Parameter } from '../../src/parameters/parameter.ts';
import { inlineSchema, type Schema } from './schemas.ts';

/** What OpenAPI says of a query parameter. */
export function queryParameter(parameter: Parameter) {
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
