/** The schema of an operation's query, which is given to `zValidator('query', …)`. */
import * as z from 'zod';
import { isArray } from '../../query/parameters.ts';

/** Reads the texts of a query, by the names of parameters, into what it asks for. */
export interface QuerySchema<Query = unknown> extends z.ZodType<Query> {
  /** Its parameters, in the order of the documentation. */
  readonly shape: z.ZodRawShape;
  readonly elsewhere?: Elsewhere | undefined;
}

/** Parameters of other operations, with the sentence that says where they belong. */
export interface Elsewhere {
  readonly shape: z.ZodRawShape;
  readonly detail: string;
}

/**
 * Builds the schema of a query.
 * @param object the parameters, in the order of the documentation
 * @param toQuery turns values without faults into what the query asks for
 */
export function querySchema<Shape extends z.ZodRawShape, Query>(
  object: z.ZodObject<Shape, z.core.$strict>,
  toQuery: (values: z.output<z.ZodObject<Shape, z.core.$strict>>) => Query,
  elsewhere?: Elsewhere,
) {
  const { shape } = object;
  const schema = z.preprocess((sent) => joinBrackets(sent, shape), object);
  return Object.assign(schema.transform(toQuery), { shape, elsewhere });
}

/**
 * Returns the parameter that a written name means: of an array `sort[]` is `sort`. Other names stay
 * as they are.
 */
export function parameterName(written: string, shape: z.ZodRawShape): string {
  const name = written.endsWith('[]') ? written.slice(0, -2) : written;
  return Object.hasOwn(shape, name) && isArray(shape[name]) ? name : written;
}

/** Joins the texts of `x[]` to the texts of `x`. */
function joinBrackets(sent: unknown, shape: z.ZodRawShape): unknown {
  const texts = Object.entries(sent as object);
  if (!texts.some(([written]) => written.endsWith('[]'))) return sent;
  const joined = new Map<string, unknown>();
  for (const [written, text] of texts) {
    const name = parameterName(written, shape);
    joined.set(name, joined.has(name) ? [joined.get(name), text].flat() : text);
  }
  return Object.fromEntries(joined);
}
