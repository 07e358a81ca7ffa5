/** Refuses queries: turns the issues of zod into `errors`, all of a request at once. */
import type { Context, MiddlewareHandler } from 'hono';
import * as z from 'zod';
import { type FaultCode, type ParameterFault, ProblemError } from '../../../problem.ts';
import { isArray, itemsOf } from '../../../query/values.ts';
import { jsonWithoutMarkup, quote, shorten } from '../../../shown-text.ts';
import { parameterName, type QuerySchema } from '../query-schema.ts';
import { suggestion } from './closest-word.ts';
import { isReadable, pairsOf, type SentText } from './query-text.ts';
import { explainUnknown } from './unknown-parameter.ts';

/** Bytes of a query that are read. Documents promise 8,000; `Link` adds to what was sent. */
const MAX_QUERY_BYTES = 16_000;

/** Faults of one parameter that are shown. The others are only counted. */
const MAX_SHOWN = 20;

/**
 * Bytes of faults after which only the first one of a parameter is shown. Real mistakes do not come
 * near it. With those first ones and the rest of a problem document, no answer passes 64 kB.
 */
const MAX_SHOWN_BYTES = 40_000;

const encoder = new TextEncoder();

/** A fault that is put into words when it is shown. */
interface Fault {
  readonly parameter: string;
  readonly code: FaultCode;
  readonly explain: () => string;
}

/** What was sent, by the names of parameters: items of arrays, one text, or several by mistake. */
type Sent = Readonly<Record<string, SentText | readonly SentText[]>>;

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
  const known = new Map<string, SentText[]>();
  const unknown = new Set<string>();
  for (const [written, value] of pairsOf(text)) {
    const name = parameterName(written, shape);
    if (!Object.hasOwn(shape, name)) unknown.add(name);
    else if (!known.get(name)?.push(value)) known.set(name, [value]);
  }
  const sent: Sent = Object.fromEntries(
    Array.from(known, ([name, values]) => {
      const one = values.length > 1 ? values : (values[0] as SentText);
      return [name, isArray(shape[name]) ? itemsOf(values) : one];
    }),
  );
  const { data, error } = schema.safeParse(sent);
  if (error === undefined && unknown.size === 0) return data as Query;
  const strange = Array.from(unknown, (name): Fault => {
    const explain = () => explainUnknown(name, schema);
    return { parameter: name, code: 'unknown_parameter', explain };
  });
  const faults = (error?.issues ?? []).flatMap((issue) => faultsOf(issue, sent, shape));
  const byName = Map.groupBy(faults, ({ parameter }) => parameter);
  throw refusal([
    ['?', strange],
    ...Object.keys(shape).map((name): [string, Fault[]] => [name, byName.get(name) ?? []]),
  ]);
}

/** The text after `?`. */
function queryTextOf({ req }: Context): string {
  const start = req.url.indexOf('?');
  return start < 0 ? '' : req.url.slice(start + 1);
}

/** Of an issue there are several faults where a parameter was sent twice: those of its values, too. */
function faultsOf(issue: z.core.$ZodIssue, sent: Sent, shape: z.ZodRawShape): Fault[] {
  const [parameter, index] = issue.path as [string, number?];
  const value = sent[parameter];
  if (index !== undefined) return [faultOf(issue, parameter, (value ?? [])[index] ?? null, true)];
  if (issue.code === 'custom' || !Array.isArray(value)) {
    return [faultOf(issue, parameter, value as SentText | undefined)];
  }
  const texts: SentText[] = [...new Set(value as readonly SentText[])];
  const { error } = z.array(shape[parameter] as z.ZodType).safeParse(texts);
  const explain = () => `Takes one value, got ${value.length}.`;
  return [
    { parameter, code: 'duplicate_parameter', explain },
    ...(error?.issues ?? []).map((each) =>
      faultOf(each, parameter, texts[each.path[0] as number] ?? null),
    ),
  ];
}

function faultOf(
  issue: z.core.$ZodIssue,
  parameter: string,
  text: SentText | undefined,
  isItem = false,
): Fault {
  const code = codeOf(issue, text);
  const explain = () => {
    if (issue.code === 'custom') return issue.message;
    if (text === null) return 'Expected percent-encoded UTF-8.';
    if (code === 'empty_value') {
      return isItem ? 'Expected no empty item.' : 'Expected a value, got none.';
    }
    if (issue.message.endsWith('.')) return issue.message;
    if (text === undefined) return `${issue.message}.`;
    const hint = issue.code === 'invalid_value' ? suggestion(text, issue.values as string[]) : '';
    return `${issue.message}, got ${quote(text)}.${hint}`;
  };
  return { parameter, code, explain };
}

function codeOf(issue: z.core.$ZodIssue, text: SentText | undefined): FaultCode {
  if (issue.code === 'custom') return issue.params?.code;
  if (text === undefined) return 'missing_parameter';
  if (text === null) return 'malformed_encoding';
  if (text === '') return 'empty_value';
  if (issue.code === 'invalid_value') return 'unknown_value';
  return issue.code === 'invalid_format' ? 'malformed_value' : 'out_of_range';
}

/** @param groups the faults of each parameter; those of unknown ones are one group */
function refusal(groups: readonly (readonly [name: string, faults: readonly Fault[]])[]) {
  let bytes = 0;
  const errors = groups.flatMap(([parameter, faults]) => {
    const shown: ParameterFault[] = [];
    for (const { parameter: name, code, explain } of faults.slice(0, MAX_SHOWN)) {
      if (shown.length > 0 && bytes > MAX_SHOWN_BYTES) break;
      const fault = { parameter: shorten(name), code, detail: explain() };
      bytes += encoder.encode(jsonWithoutMarkup(fault)).byteLength;
      shown.push(fault);
    }
    const others = faults.length - shown.length;
    const detail = `${others} more not shown.`;
    return others === 0 ? shown : [...shown, { parameter, code: 'more_faults' as const, detail }];
  });
  const count = groups.reduce((sum, [, { length }]) => sum + length, 0);
  const [first] = errors as [ParameterFault];
  const detail =
    count === 1 ? `${quote(first.parameter)}: ${first.detail}` : `${count} faults, see errors.`;
  return new ProblemError('invalid_parameters', detail, { errors });
}
