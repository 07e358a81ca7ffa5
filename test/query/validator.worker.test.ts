/** `zValidator` and what goes before it: as Hono reads a query, it is read and refused all the same. */
import { zValidator } from '@hono/zod-validator';
import fc from 'fast-check';
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { LIST_QUERY } from '../../src/http/query/list-query.ts';
import { expectValidQuery, readQuery } from '../../src/http/query/read-query.ts';
import { type AppEnv, Trace } from '../../src/http/trace.ts';
import { ProblemError } from '../../src/model/problem.ts';
import { examplesOf } from '../support/worker/query-faults.ts';

const app = new Hono<AppEnv>().get(
  '/',
  (context, next) => {
    context.set('trace', new Trace(context));
    return next();
  },
  zValidator('query', LIST_QUERY, expectValidQuery(LIST_QUERY)),
  (context) => context.text(context.req.valid('query').canonical),
);
app.onError((error, context) => {
  if (!(error instanceof ProblemError)) throw error;
  return context.json(error.errors, 400);
});

/** The canonical text of a query, or its faults. */
async function throughHono(query: string): Promise<unknown> {
  const response = await app.request(`/?${query}`);
  return response.status === 200 ? response.text() : response.json();
}

function direct(query: string): unknown {
  try {
    return readQuery(LIST_QUERY, query).canonical;
  } catch (error) {
    if (error instanceof ProblemError) return error.errors;
    throw error;
  }
}

it('a route reads or refuses any query as it is meant', async () => {
  const pair = fc.oneof(
    fc.constantFrom(...examplesOf(LIST_QUERY).map(([name, example]) => `${name}=${example}`)),
    fc.constantFrom(
      ...['', 'limit', '=', '=x', '%', '%ff', '%zz=%zz', 'lang=%zz', 'rentalPointSlug=%ff', '2=1'],
      ...['__proto__=1', '%5F_proto__', 'constructor=1', 'toString', 'x=%F0%9F', 'lang+=fr'],
      ...['limit=5', 'limit=x', 'limit[]=1', 'limit=1=2', 'fields[]=id', 'fields=id,,'],
      ...['sort%5B%5D=name', 'q=a+b%2B%26', 'country.in=%20France%20,%C3%8Etalie'],
    ),
    fc.stringMatching(/^[a-z_+%[\]=,]{0,6}$/),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { maxLength: 6 }), async (pairs) => {
      const query = pairs.join('&');
      expect(await throughHono(query)).toEqual(direct(query));
    }),
    { numRuns: 1000 },
  );
});
