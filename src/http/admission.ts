/**
 * Decides who may have store data: a caller whose token has the scope and is within its rate limit.
 * Look-ups of tokens that the isolate does not know have a limit by network. An IPv4 address counts by
 * itself. Of IPv6 the first 64 bits do: that much every customer of a provider has for its own.
 */
import type { MiddlewareHandler } from 'hono';
import type { TokenRequest } from '../auth/authenticator.ts';
import { type Caller, expectValid } from '../auth/grant.ts';
import { grants, READ_STORES } from '../auth/token-record.ts';
import { ProblemError } from '../model/problem.ts';
import { settlesWithin } from '../storage/reading.ts';
import { isolateOf } from './isolate.ts';
import { type AppContext, type AppEnv, logFault, type Trace } from './trace.ts';

/** Milliseconds that a limiter may take. Then the request passes. */
const LIMITER_DEADLINE = 500;

/** Groups of 16 bits in an IPv6 address, and in the part of it that names a network. */
const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Where there is no address, or none that can be read, all requests count together. */
export const UNKNOWN_NETWORK = 'unknown';

/** An IPv4 address, by itself or in the form of an IPv6 one. */
const IPV4 = /^(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3})$/i;

/**
 * Finds out who calls, and counts the request against the rate limit of the token. Middleware of
 * routes with store data.
 * @throws ProblemError of status 401, scope_missing, rate_limited, address_limited,
 * storage_unreachable
 */
export const admitted: MiddlewareHandler<AppEnv> = async (context, next) => {
  const trace = context.get('trace');
  const caller = await identify(context);
  const { RATE_LIMITER: limiter, RATE_LIMIT_PERIOD: period } = context.env;
  if (!(await isWithinLimit(limiter, caller.tokenId, 'rate_limiter_failed', trace))) {
    throw new ProblemError('rate_limited', `The allowance is used up. Wait ${period} seconds.`, {
      headers: { 'retry-after': period },
    });
  }
  trace.lap('auth');
  context.set('caller', caller);
  return next();
};

/** Returns the caller of a request, if the token is valid and has the scope. */
async function identify(context: AppContext): Promise<Caller> {
  const trace = context.get('trace');
  const { authenticator, releases } = isolateOf(context.env);
  const found = authenticator.authenticate(context.req.raw.headers, tokenRequestOf(context));
  // The token is read from storage: a fresh isolate reads the pointer at the same time.
  if (found instanceof Promise) releases.prefetch(trace);
  const grant = await found;
  // Noted before a token is refused: operators search the log for users of a leaked, replaced or
  // expired one.
  trace.token = grant.caller.tokenId;
  expectValid(grant);
  const { RATE_LIMIT: requests, RATE_LIMIT_PERIOD: seconds } = context.env;
  // As the IETF draft of the header writes it.
  trace.rateLimitPolicy = `"default";q=${requests};w=${seconds}`;
  if (!grants(grant.scopes, READ_STORES)) {
    throw new ProblemError('scope_missing', `The token lacks the scope ${READ_STORES}.`);
  }
  return grant.caller;
}

/** Returns what authentication needs to know of a request. */
function tokenRequestOf(context: AppContext): TokenRequest {
  const trace = context.get('trace');
  const { GUESS_LIMITER: limiter, GUESS_LIMIT_PERIOD: period } = context.env;
  return {
    context: trace,
    // Asked for only when a token is not in memory, which is seldom. No getter: of an object with one V8
    // keeps all that it refers to, the answer among it, until the next full garbage collection.
    // Cloudflare sets the header, whatever the caller sends.
    network() {
      return networkOf(context.req.raw.headers.get('cf-connecting-ip'));
    },
    async countGuess() {
      const isWithin = await isWithinLimit(limiter, this.network(), 'guess_limiter_failed', trace);
      return isWithin ? 0 : Number(period);
    },
  };
}

/**
 * Counts a request, and returns whether it may pass. It passes when the limiter fails or hangs,
 * too: answers matter more than limits.
 * @param failed event of the log when the limiter fails
 */
async function isWithinLimit(
  limiter: RateLimit,
  key: string,
  failed: string,
  { requestId }: Trace,
): Promise<boolean> {
  try {
    const counted = limiter.limit({ key });
    if (await settlesWithin(counted, LIMITER_DEADLINE)) return (await counted).success;
    throw new Error(`no answer in ${LIMITER_DEADLINE} ms`);
  } catch (error) {
    logFault(failed, error, requestId);
    return true;
  }
}

/**
 * Returns the network of an address.
 * @param address as `CF-Connecting-IP` has it; null where there is none
 */
export function networkOf(address: string | null): string {
  const ipv4 = IPV4.exec(address ?? '')?.[1];
  if (ipv4 !== undefined) return ipv4;
  // URLs write an IPv6 address in one way only: small letters, no leading zeros.
  const written = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (written === undefined) return UNKNOWN_NETWORK;
  // `::` leaves out groups that are zero.
  const [head = [], tail = []] = written.split('::').map((half) => half.match(/[^:]+/g) ?? []);
  const zeros = Array<string>(GROUPS - head.length - tail.length).fill('0');
  return `${[...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS).join(':')}::/64`;
}
