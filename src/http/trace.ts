/**
 * Traces a request: writes its log line, what goes wrong behind it, and the headers by which it is
 * found again. A line is one JSON object, without tokens.
 */
import type { Context, MiddlewareHandler } from 'hono';
import type { Caller } from '../auth/grant.ts';
import { redact } from '../auth/redact.ts';
import type { ParsedQuery } from '../query/queries.ts';
import { MAX_WAIT, type ReadContext, StorageCost } from '../storage/reading.ts';

/** What a request carries from one handler of its route to the next. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    trace: Trace;
    /** Set by `admitted`. */
    caller: Caller;
  };
}

export type AppContext = Context<AppEnv>;

/** Host, path and query of an address. */
const URL_PARTS = /^\w+:\/\/([^/]*)([^?#]*)\??([^#]*)/;

/** Request ids that are taken over from callers. */
const SANE_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** A token, or what may be one, anywhere in an id. Ids are logged, and tokens never are. */
const TOKEN_WITHIN = /sk_(test|live)_[A-Za-z0-9]{22}/;

const PHASES = ['auth', 'load', 'query', 'render'] as const;

type Phase = (typeof PHASES)[number];

const MICROSECONDS_PER_MILLISECOND = 1000;

/**
 * When the first request of the isolate came. That request starts the clock: on Cloudflare the time
 * is unknown outside of requests.
 */
let firstRequestAt: number | undefined;

/** A request on its way to its answer. */
export class Trace implements ReadContext {
  readonly requestId: string;
  /**
   * Milliseconds of each phase that the request has gone through.
   *
   * On Cloudflare the clock only moves while a request waits for I/O, so there the figures show
   * waiting alone; on a developer's machine they include computing. `query` is reading the query and finding
   * the stores of a list, `load` what comes before and between.
   */
  readonly laps: { [phase in Phase]?: number } = {};
  private lappedAt = performance.now();
  /** What storage has cost so far; loading adds to it. */
  readonly storage = new StorageCost();
  /** Milliseconds since the first request of the isolate, when this one came. */
  readonly isolateAge: number;
  readonly host: string;
  /** As it was sent, still percent-encoded. */
  readonly path: string;
  /** The text after `?`, as it was sent. */
  readonly query: string;
  /** Public id of the token, once its record is known. */
  token: string | null = null;
  /** Value of `RateLimit-Policy`, once the token is known to be good. */
  rateLimitPolicy: string | null = null;
  /** Name of the release that answers, once it is known. */
  release: string | null = null;
  /** Canonical text of the query for the log line, once the query is understood. */
  canonicalQuery: string | null = null;
  /** Code of the problem, where the answer is one. */
  problem: string | null = null;
  /** When the request came, in milliseconds since 1970. */
  readonly cameAt = Date.now();
  private readonly context: AppContext;

  constructor(context: AppContext) {
    firstRequestAt ??= this.lappedAt;
    this.isolateAge = Math.round(this.lappedAt - firstRequestAt);
    this.context = context;
    this.requestId = requestIdOf(context.req.raw.headers);
    const [, host = '', path = '', query = ''] = URL_PARTS.exec(context.req.url) ?? [];
    this.host = host;
    this.path = path;
    this.query = query;
  }

  /** When the request stops waiting for storage: milliseconds since 1970. */
  get giveUpAt(): number {
    return this.cameAt + MAX_WAIT;
  }

  /** Adds the time since the last lap, or since the request came, to `phase`. */
  lap(phase: Phase): void {
    const now = performance.now();
    const microseconds = Math.round((now - this.lappedAt) * MICROSECONDS_PER_MILLISECOND);
    this.laps[phase] = (this.laps[phase] ?? 0) + microseconds / MICROSECONDS_PER_MILLISECOND;
    this.lappedAt = now;
  }

  /** Notes the canonical query for the log: the end of reading it. */
  understand({ canonical, logged }: ParsedQuery<unknown>): void {
    this.canonicalQuery = logged ?? canonical;
    this.lap('query');
  }

  /** Keeps `work` alive after the answer has been sent. */
  defer(work: Promise<unknown>): void {
    this.context.executionCtx.waitUntil(work);
  }
}

/**
 * Writes the headers by which a request is found again, and its log line. Middleware of every
 * route.
 */
export const traced: MiddlewareHandler<AppEnv> = async (context, next) => {
  const trace = new Trace(context);
  context.set('trace', trace);
  await next();
  const { headers, status } = context.res;
  headers.set('x-request-id', trace.requestId);
  if (trace.release !== null) headers.set('x-snapshot-release', trace.release);
  if (trace.rateLimitPolicy !== null) headers.set('ratelimit-policy', trace.rateLimitPolicy);
  const timings = PHASES.filter((phase) => phase in trace.laps);
  const timing = timings.map((phase) => `${phase};dur=${trace.laps[phase]}`).join(', ');
  if (timing !== '') headers.set('server-timing', timing);
  console.log(logLine(trace, context.req.method, status));
};

/** Returns the line of a request, with tokens in method, path and query redacted. */
function logLine(trace: Trace, method: string, status: number): string {
  return JSON.stringify({
    event: 'request',
    requestId: trace.requestId,
    release: trace.release,
    token: trace.token,
    method: redact(method),
    path: redact(trace.path),
    query: trace.canonicalQuery && redact(trace.canonicalQuery),
    status,
    problem: trace.problem,
    timings: trace.laps,
    storage: { ...trace.storage, isolateAge: trace.isolateAge },
  });
}

/** Returns the caller's own id if it sent a sane one without a token in it, else a new one. */
function requestIdOf(headers: Headers): string {
  const own = headers.get('x-request-id');
  return own !== null && SANE_ID.test(own) && !TOKEN_WITHIN.test(own) ? own : crypto.randomUUID();
}

/** Logs a fault of the service, with the chain of its causes. */
export function logFault(event: string, error: unknown, requestId: string | null = null): void {
  console.error(JSON.stringify({ event, requestId, error: redact(describe(error)) }));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack, cause } = error;
  const own = stack ?? String(error);
  return cause === undefined ? own : `${own}\ncaused by ${describe(cause)}`;
}
