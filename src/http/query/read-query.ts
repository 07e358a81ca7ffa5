/** Reads queries by their schemas, for routes and for programs without one. */
import type { Context, MiddlewareHandler } from 'hono';
import { ProblemError } from '../../problem.ts';
import { isArray, itemsOf } from '../../query/values.ts';
import { refusal, type Sent } from './hints/faults.ts';
import { parameterName, type QuerySchema } from './query-schema.ts';
import { isReadable, pairsOf, type SentText } from './query-text.ts';

/** Bytes of a query that are read. Documents promise 8,000; `Link` adds to what was sent. */
const MAX_QUERY_BYTES = 16_000;

/** Refuses a query that is too long, or that Hono would misread; goes before `zValidator`. */
export function expectReadable(schema: QuerySchema): MiddlewareHandler {
  return async (context, next) => {
    const query = queryTextOf(context);
    expectShort(query);
    if (!isReadable(query)) readQuery(schema, query);
    await next();
  };
}

/** The hook of `zValidator`: refuses what the schema refuses. */
export function refuseQuery(schema: QuerySchema) {
  return ({ success }: { readonly success: boolean }, context: Context): void => {
    if (!success) readQuery(schema, queryTextOf(context));
  };
}

/** The text after `?`. */
function queryTextOf({ req }: Context): string {
  return req.url.split('?').slice(1).join('?');
}

/** @throws ProblemError query_too_long */
export function expectShort({ length }: string): void {
  if (length <= MAX_QUERY_BYTES) return;
  const detail = `The query has ${length} bytes, at most ${MAX_QUERY_BYTES} are read.`;
  throw new ProblemError('query_too_long', detail);
}

/**
 * What a query asks for.
 * @param text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function readQuery<Query>(schema: QuerySchema<Query>, text: string): Query {
  const { shape } = schema.in.out;
  const pairs = Map.groupBy(pairsOf(text), ([written]) => parameterName(written, shape));
  const sent: Record<string, Sent[string]> = {};
  const unknown: string[] = [];
  for (const [name, named] of pairs) {
    const values = named.map(([, value]) => value);
    if (!Object.hasOwn(shape, name)) unknown.push(name);
    else if (isArray(shape[name])) sent[name] = itemsOf(values);
    else sent[name] = values.length > 1 ? values : (values[0] as SentText);
  }
  const { data, error } = schema.safeParse(sent);
  if (error || unknown.length > 0) throw refusal(schema, sent, unknown, error?.issues ?? []);
  return data as Query;
}
