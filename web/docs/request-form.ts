/** What "Try it" knows of an operation: its script is handed this as JSON. */
import type { RequestForm } from './browser/try-it.ts';
import { inventedIn, requestOf } from './code-samples.ts';
import { valuesOf } from './fields.ts';
import type { Operation } from './openapi.ts';

/** Begins with the request that the samples show, but for what is invented in it. */
export function requestForm(operation: Operation): RequestForm {
  const query = new URLSearchParams(requestOf(operation).split('?')[1]);
  const parameters = operation.parameters.filter(({ in: place }) => place !== 'header');
  return {
    path: operation.path,
    needsToken: operation.needsToken,
    parameters: parameters.map(({ name, required = false, schema, example }) => {
      const source = required ? inventedIn(String(example))?.source : undefined;
      const shown = query.get(name) ?? (required ? String(example) : '');
      return {
        name,
        required,
        choices: schema.type === 'array' ? [] : valuesOf(schema),
        example: String(example ?? ''),
        value: source === undefined ? shown : '',
        ...(source !== undefined && { source }),
      };
    }),
  };
}
