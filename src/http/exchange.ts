/** One request and its answer: gathers what the log line and the headers of every answer will say. */
import type { Context } from 'hono';
import { MAX_WAIT, type ReadContext, StorageCost } from '../load/read-context.ts';
import type { ParsedQuery } from '../query/queries.ts';
import { redact } from '../shown-text.ts';
import { isolateAge } from './isolate.ts';
import type { QuerySchema } from './query/query-schema.ts';
import { expectShort, readQuery } from './query/read-query.ts';
import type { Reply } from './reply.ts';
import { SECURED } from './security-headers.ts';
import { Stopwatch } from './stopwatch.ts';

/** What a request carries from one handler of its route to the next. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    exchange?: Exchange;
  };
}

export type AppContext = Context<AppEnv>;

const encoder = new TextEncoder();

/** Host, path and query of an address. */
const URL_PARTS = /^\w+:\/\/([^/]*)([^?#]*)\??([^#]*)/;

/** Request ids that are taken over from callers. */
const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** A token, or what may be one, anywhere in an id. Ids are logged, and tokens never are. */
const TOKEN_WITHIN = /sk_(test|live)_[A-Za-z0-9]{22}/;

/** A request on its way to its answer. */
export class Exchange implements ReadContext {
  readonly context: AppContext;
  readonly requestHeaders: Headers;
  readonly requestId: string;
  readonly stopwatch = new Stopwatch();
  /** What storage has cost so far; loading adds to it. */
  readonly storage = new StorageCost();
  /** Milliseconds since the first request of the isolate, when this one came. */
  private readonly isolateAge = isolateAge();
  private readonly cameAt = Date.now();
  readonly host: string;
  /** As it was sent, still percent-encoded. */
  readonly path: string;
  /** The text after `?`, as it was sent. */
  readonly query: string;
  /** Public id of the token, once its record is known. */
  token: string | null = null;
  /** What its holder is allowed, for `RateLimit-Policy`, once the token is known to be good. */
  rateLimitPolicy: string | null = null;
  /** Name of the release that answers, once it is known. */
  release: string | null = null;
  /** Canonical text of the query for the log line, once the query is understood. */
  canonicalQuery: string | null = null;

  constructor(context: AppContext) {
    this.context = context;
    this.requestHeaders = context.req.raw.headers;
    this.requestId = requestIdOf(this.requestHeaders);
    const [, host = '', path = '', query = ''] = URL_PARTS.exec(context.req.url) ?? [];
    this.host = host;
    this.path = path;
    this.query = query;
  }

  get env(): Env {
    return this.context.env;
  }

  /** When the request stops waiting for storage: milliseconds since 1970. */
  get giveUpAt(): number {
    return this.cameAt + MAX_WAIT;
  }

  get method(): string {
    return this.context.req.method;
  }

  /** What the query asks of an operation. @throws ProblemError query_too_long, invalid_parameters */
  understand<Query>(schema: QuerySchema<ParsedQuery<Query>>): ParsedQuery<Query> {
    expectShort(this.query);
    const parsed = readQuery(schema, this.query);
    this.canonicalQuery = parsed.logged ?? parsed.canonical;
    this.stopwatch.lap('query');
    return parsed;
  }

  /** Keeps `work` alive after the answer has been sent. */
  defer(work: Promise<unknown>): void {
    this.context.executionCtx.waitUntil(work);
  }

  /** Turns `reply` into the response, and logs the request. */
  finish({ status, body, base = SECURED, headers, problem }: Reply): Response {
    const response = new Response(body, { status, headers: base });
    const own = response.headers;
    for (const [name, value] of Object.entries(headers)) own.set(name, value);
    own.set('x-request-id', this.requestId);
    if (this.release !== null) own.set('x-snapshot-release', this.release);
    if (this.rateLimitPolicy !== null) own.set('ratelimit-policy', this.rateLimitPolicy);
    const timing = this.stopwatch.serverTiming();
    if (timing !== '') own.set('server-timing', timing);
    // The platform sets the length of other answers. Hono removes the body of this one before that.
    if (this.method === 'HEAD' && body !== null && !(body instanceof ReadableStream)) {
      own.set('content-length', String(byteLength(body)));
    }
    this.log(status, problem ?? null);
    // The response has a copy; giving the buffer back at once keeps a megabyte an answer from
    // piling up until the next collection.
    if (body instanceof Uint8Array) body.buffer.transfer(0);
    return response;
  }

  /** Logs the line of the request; tokens in method, path and query are redacted. */
  private log(status: number, problem: string | null): void {
    const entry = {
      event: 'request',
      requestId: this.requestId,
      release: this.release,
      token: this.token,
      method: redact(this.method),
      path: redact(this.path),
      query: this.canonicalQuery && redact(this.canonicalQuery),
      status,
      problem,
      timings: this.stopwatch.laps,
      storage: { ...this.storage, isolateAge: this.isolateAge },
    };
    console.log(JSON.stringify(entry));
  }
}

/** The exchange of a request: it begins when the first handler asks for it. */
export function exchangeOf(context: AppContext): Exchange {
  const begun = context.get('exchange');
  if (begun) return begun;
  const exchange = new Exchange(context);
  context.set('exchange', exchange);
  return exchange;
}

/** The caller's own id if it sent a sane one without a token in it, else a new one. */
function requestIdOf(headers: Headers): string {
  const own = headers.get('x-request-id');
  return own !== null && SANE_ID.test(own) && !TOKEN_WITHIN.test(own) ? own : crypto.randomUUID();
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? encoder.encode(body).length : body.byteLength;
}
