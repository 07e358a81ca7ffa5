/**
 * What a request to Cloudflare over HTTP and its answer hold, whichever of its APIs it is for: who asks, told by the
 * variables that wrangler reads too, and one; the JSON that results are wrapped in, and errors in the API's own words.
 */
import * as z from 'zod';
import { CommandError, UsageError } from '../cli/command-error.ts';

const faultSchema = z.object({ code: z.number().optional(), message: z.string() });

/** A fault as the API puts it. */
export type ApiFault = z.infer<typeof faultSchema>;

const envelopeSchema = z.object({
  success: z.boolean(),
  errors: z.array(faultSchema).nullish(),
  result: z.unknown().optional(),
  /** Where the next page begins; none, or an empty text, after the last. */
  result_info: z.object({ cursor: z.string().nullish() }).nullish(),
});

/** Reads an answer; null when it is no envelope, such as the page of a proxy in between. */
export function readEnvelope(bytes: Uint8Array) {
  try {
    return envelopeSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** Code by which the API says that a key is not there, whatever the status. */
const KEY_MISSING = 10009;

/** A day of the free plan has no more writes to KV: nothing is written again before 0:00 UTC. */
const WRITES_USED_UP = 10048;

/** The code of the error that says so. */
export const API_WRITES_USED_UP = 'api_writes_used_up';

const DAY_LIMIT =
  'The free plan of Workers KV takes 1,000 writes a day. It takes them again from 0:00 UTC on,\n' +
  'and at once on a paid plan.';

const PERMISSIONS =
  'CLOUDFLARE_API_TOKEN must be valid for CLOUDFLARE_ACCOUNT_ID, with the permissions\n' +
  '"Workers KV Storage: Edit" and, for snapshots, "Workers R2 Storage: Edit".';

const ACCOUNT =
  'CLOUDFLARE_ACCOUNT_ID must be the account that has what wrangler.toml names: the ids of its\n' +
  'KV namespaces, and its bucket. "npx wrangler whoami" shows the account.';

interface ApiErrorOptions {
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly faults?: readonly ApiFault[];
  /** Whether the same request may succeed later. */
  readonly passing: boolean;
  /** In the place of the one that follows from status and faults. */
  readonly code?: string;
  readonly cause?: unknown;
}

export class CloudflareApiError extends CommandError {
  readonly passing: boolean;
  /** Whether the API says that the key is not there; a missing namespace or bucket is none of it. */
  readonly isMissingKey: boolean;

  /** @param message without secrets */
  constructor(message: string, options: ApiErrorOptions) {
    const { status, faults = [], passing, cause } = options;
    const { code, explanation = null } = meaningOf(status, faults);
    super(message, options.code ?? code, { details: { status, faults }, explanation, cause });
    this.passing = passing;
    this.isMissingKey = lacksKey(faults) || (status === 404 && faults.length === 0);
  }
}

/** Builds an error that says who did not do what it was asked for, and what it did instead. */
export function failure(
  who: string,
  purpose: string,
  what: string,
  options: ApiErrorOptions,
): CloudflareApiError {
  return new CloudflareApiError(`${who} did not ${purpose}: it ${what}`, options);
}

/** Returns the code of an error, and which setting may be wrong. */
function meaningOf(status: number | null, faults: readonly ApiFault[]) {
  if (status === null) return { code: 'api_unreachable' };
  if (isUsedUp(faults)) return { code: API_WRITES_USED_UP, explanation: DAY_LIMIT };
  if (status === 429) return { code: 'api_rate_limited' };
  if (status >= 500) return { code: 'api_failed' };
  const code = 'api_refused';
  if (status === 401 || status === 403) return { code, explanation: PERMISSIONS };
  const isElsewhere = status === 404 && faults.length > 0 && !lacksKey(faults);
  return isElsewhere ? { code, explanation: ACCOUNT } : { code };
}

function lacksKey(faults: readonly ApiFault[]): boolean {
  return faults.some(({ code }) => code === KEY_MISSING);
}

/** Returns whether a limit of the day was met, which no repetition helps against. */
export function isUsedUp(faults: readonly ApiFault[]): boolean {
  return faults.some(({ code }) => code === WRITES_USED_UP);
}

export interface HttpRequest {
  /** Completes the sentence "Cloudflare's API did not …", or "R2 did not …". */
  readonly purpose: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly body?: Uint8Array;
}

/** The same with where it goes. */
export interface Exchange extends HttpRequest {
  /** Who answers, and where, as errors name them. */
  readonly who: string;
  readonly at: string;
  readonly url: string | URL;
  readonly headers: Headers | Readonly<Record<string, string>>;
  /** Ends the request when aborted, by throwing its reason. */
  readonly interruption?: AbortSignal | undefined;
}

const DEFAULT_BASE_URL = 'https://api.cloudflare.com/client/v4';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export type ApiAccess = ReturnType<typeof readApiAccess>;

const R2_HOST = '.r2.cloudflarestorage.com';

/**
 * Reads CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID and, if they are set, CLOUDFLARE_API_BASE_URL and
 * CLOUDFLARE_R2_ENDPOINT, which wrangler does not know.
 * @throws UsageError that names the variables that are missing or unusable, never their values
 */
export function readApiAccess(variables: NodeJS.ProcessEnv) {
  const { CLOUDFLARE_API_TOKEN: token = '', CLOUDFLARE_ACCOUNT_ID: accountId = '' } = variables;
  const missing = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'].filter((it) => !variables[it]);
  if (missing.length > 0) {
    const message = `reaching Cloudflare's platform needs ${missing.join(' and ')} in the environment`;
    throw new UsageError(message, 'usage', {
      explanation:
        'Create an API token with "Workers KV Storage: Edit" and "Workers R2 Storage: Edit"\n' +
        'at https://dash.cloudflare.com/profile/api-tokens; the account id is shown by\n' +
        '"npx wrangler whoami".',
    });
  }
  // Header values of other characters are refused with a message that repeats them.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError('CLOUDFLARE_API_TOKEN holds a character that no token has: copy it again');
  }
  const r2 = `https://${encodeURIComponent(accountId)}${R2_HOST}`;
  return {
    /** Secret: it goes into one header and nowhere else. */
    token,
    accountId,
    /** Without a slash at its end. */
    baseUrl: readUrl(variables, 'CLOUDFLARE_API_BASE_URL', DEFAULT_BASE_URL),
    /** Where R2 speaks S3's API, without a slash at its end; for buckets without a jurisdiction. */
    r2Endpoint: readUrl(variables, 'CLOUDFLARE_R2_ENDPOINT', r2),
  };
}

/**
 * Returns where the buckets of a jurisdiction are reached (`eu`; null: those without one). At the default endpoint
 * such a bucket does not exist, and creating it there would make a second one of its name.
 */
export function r2EndpointIn({ r2Endpoint }: ApiAccess, jurisdiction: string | null): string {
  return jurisdiction === null
    ? r2Endpoint
    : r2Endpoint.replace(R2_HOST, `.${jurisdiction}${R2_HOST}`);
}

function readUrl(variables: NodeJS.ProcessEnv, name: string, usual: string): string {
  const url = URL.parse(variables[name] || usual);
  const isLoopback = url?.protocol === 'http:' && LOOPBACK.has(url.hostname);
  if (!url || !(isLoopback || url.protocol === 'https:')) {
    throw new UsageError(`${name} must be an https URL: secrets would travel in the open`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
