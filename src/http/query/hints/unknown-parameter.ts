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
 * Returns a hint, first by the names that other services use. By letters alone `lng` would lead to
 * `lang`, not to `position.longitude`.
 */
function hintFor(written: string, shape: z.ZodRawShape, others: z.ZodRawShape): string {
  // Some parameters are in both shapes.
  const meant = Object.entries({ ...shape, ...others }).flatMap(([name, parameter]) => {
    const { usualNames = [], usage } = (parameter as z.ZodType).meta() ?? {};
    return usualNames.includes(written) ? [{ name, usage }] : [];
  });
  if (meant.length === 0) return suggestion(written, Object.keys(shape));
  const here = meant.filter(({ name }) => Object.hasOwn(shape, name));
  if (here.length === 0) return '';
  const names = here.map(({ name }) => `"${name}"`).join(' or ');
  const usages = here.map(({ usage }) => (usage ? ` ${usage}` : ''));
  return ` Did you mean ${names}?${usages.join('')}`;
}
