/** What answers of Cloudflare mean that bring no result, whichever of its APIs gives them. */
import { CommandError } from '../cli/command-error.ts';
import { SETTINGS } from './api-access.ts';

/** A day of the free plan has no more writes to KV: nothing is written again before 0:00 UTC. */
const WRITES_USED_UP = 10048;

/** The code of the error that says so. */
export const API_WRITES_USED_UP = 'api_writes_used_up';

const DAY_LIMIT =
  'The free plan of Workers KV takes 1,000 writes a day. It takes them again from 0:00 UTC on,\n' +
  'and at once on a paid plan.';

interface Meaning {
  readonly code: string;
  readonly explanation?: string;
  /** Whether the same request may succeed later. */
  readonly passing: boolean;
  readonly cause?: unknown;
}

/** What may pass: no answer, too many requests, an error of the server. */
export const PASSING: Meaning = { code: 'api_failed', passing: true };

/** Cloudflare did not do what it was asked for. */
export class CloudflareError extends CommandError {
  readonly passing: boolean;

  /**
   * @param purpose what it was asked for: completes the sentence "Cloudflare did not …"
   * @param what it did instead, without secrets
   */
  constructor(purpose: string, what: string, { code, passing, ...options }: Meaning) {
    super(`Cloudflare did not ${purpose}: it ${what}`, code, options);
    this.passing = passing;
  }
}

/** Returns what a status means that is no success. @param faults the codes beside it, as the API has them */
export function meaningOf(status: number, faults: readonly number[] = []): Meaning {
  if (faults.includes(WRITES_USED_UP)) {
    return { code: API_WRITES_USED_UP, explanation: DAY_LIMIT, passing: false };
  }
  if (status === 429 || status >= 500) return PASSING;
  return { code: 'api_refused', explanation: SETTINGS, passing: false };
}
