/** Who asks Cloudflare, and where, as the variables say that wrangler reads too, and one that it does not know. */
import { UsageError } from '../cli/command-error.ts';

/** What is to be looked at where Cloudflare cannot be asked, or refuses. */
export const SETTINGS =
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
