/** Who asks Cloudflare's API and where it is, told by the variables that wrangler reads too, and one. */
import { UsageError } from '../cli/command-error.ts';

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
 * Where the buckets of a jurisdiction are reached (`eu`; null: those without one). At the default
 * endpoint such a bucket does not exist, and creating it there would make a second one of its name.
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
