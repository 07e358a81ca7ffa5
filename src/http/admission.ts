/**
 * Who may have store data: callers whose token has the scope and is within its allowance. Tokens
 * that the isolate does not know have an allowance too, by the network they come from.
 */
import { type Caller, expectScope, expectValid } from '../auth/grant.ts';
import type { TokenRequest } from '../auth/guesses.ts';
import { networkOf } from '../auth/network.ts';
import { READ_STORES } from '../auth/scope.ts';
import { ProblemError } from '../problem.ts';
import { settlesWithin } from '../storage/deadline.ts';
import type { Exchange } from './exchange.ts';
import { isolateOf } from './isolate.ts';
import { logFault } from './log-lines.ts';

/** Milliseconds that a limiter may take. Then the request passes. */
const LIMITER_DEADLINE = 500;

/** The address of the caller, which Cloudflare sets, whatever the caller sends. */
const ADDRESS_HEADER = 'cf-connecting-ip';

/**
 * Finds out who the caller is, and counts the request against the caller's allowance.
 * @throws ProblemError of status 401, scope_missing, rate_limited, address_limited,
 *   storage_unreachable
 */
export async function admitCaller(exchange: Exchange): Promise<Caller> {
  const caller = await identify(exchange);
  const { RATE_LIMITER: limiter, RATE_LIMIT_PERIOD: period } = exchange.env;
  if (!(await isWithinLimit(limiter, caller.tokenId, 'rate_limiter_failed', exchange))) {
    throw new ProblemError('rate_limited', `The allowance is used up. Wait ${period} seconds.`, {
      headers: { 'retry-after': period },
    });
  }
  exchange.stopwatch.lap('auth');
  return caller;
}

/** The caller of a request, whose token is good for it. */
async function identify(exchange: Exchange): Promise<Caller> {
  const { authenticator, releases } = isolateOf(exchange.env);
  const found = authenticator.authenticate(exchange.requestHeaders, tokenRequestOf(exchange));
  // While the token is looked up, a fresh isolate reads the pointer.
  if (found instanceof Promise) releases.prefetch(exchange);
  const grant = found instanceof Promise ? await found : found;
  // Also of a token that is refused: operators search the log for who still uses a leaked, replaced or
  // expired one.
  exchange.token = grant.caller.tokenId;
  expectValid(grant);
  exchange.rateLimitPolicy = policyOf(exchange.env);
  expectScope(grant, READ_STORES);
  return grant.caller;
}

/** What authentication sees of a request. */
function tokenRequestOf(exchange: Exchange): TokenRequest {
  const { GUESS_LIMITER: limiter, GUESS_LIMIT_PERIOD: period } = exchange.env;
  return {
    context: exchange,
    // Worked out when a token is looked up, which is seldom.
    get network() {
      return networkOf(exchange.requestHeaders.get(ADDRESS_HEADER));
    },
    async countGuess() {
      const { network } = this;
      const isWithin = await isWithinLimit(limiter, network, 'guess_limiter_failed', exchange);
      return isWithin ? 0 : Number(period);
    },
  };
}

/**
 * When the limiter itself fails or hangs, the request passes: answers matter more than limits.
 * @param failed what the log calls that
 */
async function isWithinLimit(
  limiter: RateLimit,
  key: string,
  failed: string,
  { requestId }: Exchange,
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

/** What `RateLimit-Policy` says: so many requests in so many seconds (the IETF draft of that header). */
function policyOf({ RATE_LIMIT: requests, RATE_LIMIT_PERIOD: seconds }: Env): string {
  return `"default";q=${requests};w=${seconds}`;
}
