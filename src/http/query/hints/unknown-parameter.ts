/** Explains unknown parameters, and hints at the one that was meant. */
import type * as z from 'zod';
import { parameterName, type QuerySchema } from '../query-schema.ts';
import { suggestion } from './closest-word.ts';

/** Returns why there is no such parameter, with a hint. @param name as it was sent */
export function explainUnknown(name: string, schema: QuerySchema): string {
  const { shape } = schema;
  const { shape: others = {}, detail } = schema.elsewhere ?? {};
  if (detail && Object.hasOwn(others, parameterName(name, others))) return detail;
  const single = name.endsWith('[]') ? name.slice(0, -2) : '';
  return Object.hasOwn(shape, single)
    ? `${single} takes one value, not an array. Did you mean "${single}"?`
    : `There is no such parameter.${hintFor(name.toLowerCase(), shape, others)}`;
}

/**
 * Returns a hint: the first parameter that ends with what was written, then those that it means to
 * other services. By letters alone `lng` would lead to `lang`, not to `position.longitude`.
 */
function hintFor(written: string, shape: z.ZodRawShape, others: z.ZodRawShape): string {
  const names = Object.keys(shape);
  const ending = names.find((name) => `.${name.toLowerCase()}`.endsWith(`.${written}`));
  const hints = new Map(ending ? [[ending, '']] : []);
  // Some parameters are in both shapes.
  const meant = Object.entries({ ...shape, ...others }).filter(([, parameter]) =>
    (parameter as z.ZodType).meta()?.usualNames?.includes(written),
  );
  for (const [name, parameter] of meant) {
    const usage = (parameter as z.ZodType).meta()?.usage;
    if (Object.hasOwn(shape, name)) hints.set(name, usage ? ` ${usage}` : '');
  }
  if (hints.size === 0) return meant.length === 0 ? suggestion(written, names) : '';
  const quoted = Array.from(hints.keys(), (name) => `"${name}"`);
  return ` Did you mean ${quoted.join(' or ')}?${[...hints.values()].join('')}`;
}
