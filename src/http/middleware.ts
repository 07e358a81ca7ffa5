/**
 * Middleware of the routes: admission, then validation of path and query. It throws a `ProblemError`
 * for a request that does not pass; `app.ts` answers with it.
 */
import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { Parameter } from '../parameters/parameter.ts';
import type { ParameterSet } from '../parameters/parameter-set.ts';
import { ProblemError } from '../problem.ts';
import type { Part } from '../snapshot/part.ts';
import { admitCaller } from './admission.ts';
import { type AppContext, type AppEnv, exchangeOf } from './exchange.ts';
import { isolateOf } from './isolate.ts';

/** Hands the operation what its query asks for. */
type QueryMiddleware<Query> = MiddlewareHandler<AppEnv, string, { out: { query: Query } }>;

/**
 * Lets callers through who may have store data.
 * @param partsOf what a fresh isolate will read for the answer
 */
export function admitted(partsOf: (context: AppContext) => Part[]): MiddlewareHandler<AppEnv> {
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
 * Lets paths through that fit `schema`.
 * @param detail what the caller of another path is told
 */
export function validPath<Schema extends z.ZodObject>(schema: Schema, detail: string) {
  return zValidator('param', schema, ({ success }) => {
    if (!success) throw new ProblemError('route_unknown', detail);
  });
}

/**
 * Lets queries through in which nothing is wrong. Not by `zValidator`, which begins with Hono's own
 * reading of the query: what that hides and costs is told in `parameters/query-text.ts`.
 */
export function validQuery<Parameters extends readonly Parameter[], Query extends object>(
  set: ParameterSet<Parameters, Query>,
): QueryMiddleware<Query> {
  return (context, next) => {
    context.req.addValidatedData('query', set.parse(exchangeOf(context).query));
    return next();
  };
}
