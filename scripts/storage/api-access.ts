/**
 * Who asks Cloudflare, and where, as the variables say that wrangler reads too, and one that it does not know; and what
 * answers mean that bring no result, whichever of its APIs gives them.
 */
import { CommandError, UsageError } from '../cli/command-error.ts';

/** What is to be looked at where Cloudflare cannot be asked, or refuses. */
const SETTINGS =
  'CLOUDFLARE_API_TOKEN must be an API token with "Workers KV Storage: Edit" and\n' +
  '"Workers R2 Storage: Edit" (https://dash.cloudflare.com/profile/api-tokens), and CLOUDFLARE_ACCOUNT_ID\n' +
  'the account that has what wrangler.toml names ("npx wrangler whoami" shows it).';

export type ApiAccess = ReturnType<typeof readApiAccess>;

/**
 * Reads CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID and, if they are set, CLOUDFLARE_API_BASE_URL and
 * CLOUDFLARE_R2_ENDPOINT.
 * @throws UsageError that names the variables that are missing or unusable, never their values
 */
export function readApiAccess(variables: NodeJS.ProcessEnv) {
  const { CLOUDFLARE_API_TOKEN: token = '', CLOUDFLARE_ACCOUNT_ID: accountId = '' } = variables;
  const missing = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'].filter((it) => !variables[it]);
  if (missing.length > 0) {
    const message = `reaching Cloudflare's platform needs ${missing.join(' and ')} in the environment`;
    throw new UsageError(message, 'usage', { explanation: SETTINGS });
  }
  // Header values of other characters are refused with a message that repeats them.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('CLOUDFLARE_API_TOKEN holds a character that no token has: copy it again');
  }
  const account = encodeURIComponent(accountId);
  const r2 = `https://${account}.r2.cloudflarestorage.com`;
  return {
    /** Secret: it goes into one header and nowhere else. */
    token,
    /** What the paths of all that is the account's begin with. */
    account: `/accounts/${account}`,
    /** Without a slash at its end. */
    baseUrl: readUrl(variables, 'CLOUDFLARE_API_BASE_URL', 'https://api.cloudflare.com/client/v4'),
    /** Where R2 speaks S3's API, without a slash at its end; for buckets without a jurisdiction. */
    r2Endpoint: readUrl(variables, 'CLOUDFLARE_R2_ENDPOINT', r2),
  };
}

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

function readUrl(variables: NodeJS.ProcessEnv, name: string, usual: string): string {
  const { protocol, origin = '', pathname } = URL.parse(variables[name] || usual) ?? {};
  if (protocol !== 'https:' && !LOOPBACK.test(origin)) {
    throw new UsageError(`${name} must be an https URL: secrets would travel in the open`);
  }
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

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
