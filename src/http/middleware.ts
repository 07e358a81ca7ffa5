/**
 * Middleware of the routes: admission, then validation of path and query. It throws a `ProblemError`
 * for a request that does not pass; `app.ts` answers with it.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { BoundedMap } from '../cache/bounded-map.ts';
import { ProblemError } from '../problem.ts';
import { admitCaller } from './admission.ts';
import { type AppContext, type AppEnv, exchangeOf } from './exchange.ts';
import { isolateOf } from './isolate.ts';
import type { QueryReader } from './query/query-reader.ts';
import type { ShownQuery } from './query/refusal.ts';

/** Texts remembered per operation: partners ask the same few queries again and again. */
const REMEMBERED_TEXTS = 500;

/** Longer texts are not remembered, so that few entries never take much memory. */
const LONGEST_REMEMBERED = 500;

/** All schemas are synchronous: `safeParse` saves a promise. */
const SYNCHRONOUS = {
  validationFunction: <Schema extends z.ZodType>(schema: Schema, sent: unknown) =>
    schema.safeParse(sent),
};

/** What typed clients send, and what the operation gets. */
type PathMiddleware<Path, Sent> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { param: Sent }; out: { param: Path } }
>;
type QueryMiddleware<Query, Sent> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { query?: Sent }; out: { query: Query } }
>;

/**
 * Lets callers through who may have store data.
 * @param partsOf what a fresh isolate will read for the answer
 */
export function admitted(partsOf: (context: AppContext) => string[]): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const exchange = exchangeOf(context);
    const isolate = isolateOf(exchange.env);
    const caller = await admitCaller(exchange, isolate, () => {
      try {
        isolate.releases.prepare(partsOf(context), exchange);
      } catch {
        // Refused when its turn comes: a token that is no good comes before a query that is not
        // understood.
      }
    });
    context.set('caller', caller);
    return next();
  };
}

/**
 * Lets paths through that fit `schema`. As every get has another path, the schema is asked directly:
 * the promises of `zValidator` would cost a get 7 µs, 3 % of all it costs.
 * @param detail what the caller of another path is told
 */
export function validPath<Path extends object, Sent>(
  schema: z.ZodType<Path, Sent>,
  detail: string,
): PathMiddleware<Path, Sent> {
  return (context, next) => {
    const { data } = schema.safeParse(context.req.param());
    if (data === undefined) throw new ProblemError('route_unknown', detail);
    context.req.addValidatedData('param', data);
    return next();
  };
}

/** Lets queries through that `reader` can read. */
export function validQuery<Query extends object, Sent>(
  reader: QueryReader<Query, Sent>,
): QueryMiddleware<Query, Sent> {
  const remembered = new BoundedMap<string, Query>(REMEMBERED_TEXTS);
  const validate = zValidator(
    'query',
    reader.schema,
    (result) => {
      if (!result.success) reader.refuse(result.error, result.data as ShownQuery);
    },
    SYNCHRONOUS,
  ) as MiddlewareHandler as QueryMiddleware<Query, Sent>;
  return async (context, next) => {
    const { query: text } = exchangeOf(context);
    const known = remembered.get(text);
    if (known) {
      context.req.addValidatedData('query', known);
      return next();
    }
    // Hono's own reading hides what callers have to be told of.
    Object.assign(context.req, { queries: () => reader.read(text) });
    return validate(context, () => {
      if (text.length <= LONGEST_REMEMBERED) {
        remembered.set(text, context.req.valid('query'));
      }
      return next();
    });
  };
}
