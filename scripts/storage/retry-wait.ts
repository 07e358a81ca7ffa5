/** How long to wait before a request is repeated. */

/** Milliseconds before the second attempt, at most; twice as long before each further one. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 30_000;

/**
 * Milliseconds to wait after the failed attempt number `attempt`, counted from 1: exponential
 * backoff with full jitter, so that clients that failed together do not come back together.
 * @param random at least 0, less than 1
 */
export function backoff(attempt: number, random: number): number {
  return random * Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1));
}

/**
 * Milliseconds that a Retry-After header asks for: it holds seconds or a date. Null when there is
 * none or it says nothing that can be understood.
 * @param now milliseconds since 1970
 */
export function readRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
