/** Reads queries by their schemas: steps of a route, and `readQuery`, which needs no Hono. */
import type { Context, MiddlewareHandler } from 'hono';
import { ProblemError } from '../../model/problem.ts';
import { isArray, itemsOf, type SentText } from '../../query/parameters.ts';
import { problemOfFaults, type Sent } from './hints/faults.ts';
import { parameterName, type QuerySchema } from './query-schema.ts';

/** What a request carries, of which these steps need the text after `?`. */
interface QueryEnv {
  Variables: { trace: { readonly query: string } };
}

/** Longest query that is read, in bytes. Partners are promised 8,000: `Link` adds to what was sent. */
const MAX_QUERY_BYTES = 16_000;

/** The escapes of one character in UTF-8: not longer forms, surrogates or beyond U+10FFFF. */
const CHARACTER =
  /%(?:[0-7][\dA-F]|(?:C[2-9A-F]|D[\dA-F]|E0%[AB][\dA-F]|ED%[89][\dA-F]|(?:E[1-9A-CEF]|F0%[9AB][\dA-F]|F4%8[\dA-F]|F[1-3]%[89AB][\dA-F])%[89AB][\dA-F])%[89AB][\dA-F])/gi;

/** Lets no query pass that is too long to be read. @throws ProblemError query_too_long */
export const expectShort: MiddlewareHandler<QueryEnv> = (context, next) => {
  const { length } = context.get('trace').query;
  if (length <= MAX_QUERY_BYTES) return next();
  const detail = `The query has ${length} bytes, at most ${MAX_QUERY_BYTES} are read.`;
  throw new ProblemError('query_too_long', detail);
};

/**
 * Builds the hook of `zValidator`, which is called with what the schema said of a query.
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function expectValidQuery(schema: QuerySchema) {
  return ({ success }: { readonly success: boolean }, context: Context): void => {
    const { query }: QueryEnv['Variables']['trace'] = context.get('trace');
    // Hono hides broken encoding, and pairs without a name: the schema has not seen them.
    const isHidden = isMalformed(query) || /(?:^|&)=/.test(query);
    // Throws: a query that has faults is read once more, as it was sent, for all of them.
    if (!success || isHidden) readQuery(schema, query);
  };
}

/**
 * Returns what a query asks for.
 * @param text after `?`, as it was sent
 * @throws ProblemError invalid_parameters with every fault of the query
 */
export function readQuery<Query>(schema: QuerySchema<Query>, text: string): Query {
  const { shape } = schema;
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
  if (error || unknown.length > 0)
    throw problemOfFaults(schema, sent, unknown, error?.issues ?? []);
  return data as Query;
}

/**
 * Returns the pairs of a query, decoded as far as they can be. A name that cannot be decoded stays
 * as it was sent.
 */
function pairsOf(query: string): [name: string, value: SentText][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    return [decode(name) ?? name, equals < 0 ? '' : decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): SentText {
  const spaced = text.replaceAll('+', ' ');
  // Looks first: an exception costs as much as a hundred looks.
  return isMalformed(spaced) ? null : decodeURIComponent(spaced);
}

function isMalformed(text: string): boolean {
  return text.includes('%') && text.replace(CHARACTER, '').includes('%');
}
