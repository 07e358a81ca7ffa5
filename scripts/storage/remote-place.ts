/**
 * Where on Cloudflare's platform an environment keeps its data, which wrangler.toml binds, and who asks for it,
 * told by the variables that wrangler reads too, and one.
 */
import { resolve } from 'node:path';
import type { Unstable_Config } from 'wrangler';
import type { Environment } from '../../src/auth/token.ts';
import { UsageError } from '../cli/command-error.ts';
import { shellWord } from '../cli/output.ts';
import { isKv, PROJECT_FOLDER } from '../cli/platform.ts';

/** The part of wrangler's reading of its configuration that matters here. */
export type EnvironmentConfig = Pick<
  Unstable_Config,
  'vars' | 'kv_namespaces' | 'r2_buckets' | 'routes'
>;

const BUCKET_BINDING = 'SNAPSHOT_BUCKET';

/** Ids that Cloudflare gives; the repository ships with names in their place. */
export const NAMESPACE_ID = /^[0-9a-f]{32}$/;

/**
 * Reads wrangler.toml, or the file that STORE_DIRECTORY_CONFIG names, as wrangler does.
 * @throws UsageError for development, which is nowhere but on this machine
 */
export async function readEnvironmentConfig(environment: Environment): Promise<EnvironmentConfig> {
  refuseDevelopment(environment);
  // Loaded on demand: it takes most of a second, which `--help` and wrong usage need not wait for.
  const { unstable_readConfig } = await import('wrangler');
  const config = process.env.STORE_DIRECTORY_CONFIG ?? resolve(PROJECT_FOLDER, 'wrangler.toml');
  return unstable_readConfig({ config, env: environment }, { hideWarnings: true });
}

/** Refuses development, which is nowhere but on this machine. @throws UsageError */
export function refuseDevelopment(environment: Environment): void {
  if (environment !== 'development') return;
  throw new UsageError('--remote needs --env staging or --env production: development is local');
}

/**
 * Returns where snapshots are, as SNAPSHOT_STORE says: in a namespace, or, where there is none, in the bucket, which
 * holds the log in any case.
 * @throws UsageError, CommandError
 */
export function snapshotPlace(config: EnvironmentConfig) {
  const { r2_buckets, vars } = config;
  const { SNAPSHOT_STORE: store, ENVIRONMENT: environment } = vars;
  const namespaceId = isKv(store) ? namespaceOf(config, 'SNAPSHOTS') : null;
  const { bucket_name: bucket, jurisdiction = null } =
    r2_buckets.find(({ binding }) => binding === BUCKET_BINDING) ?? {};
  if (bucket) return { namespaceId, bucket, jurisdiction };
  throw new UsageError(`the R2 bucket ${BUCKET_BINDING} of ${environment} has no name`, 'usage', {
    explanation: `Set bucket_name in wrangler.toml, at [[env.${environment}.r2_buckets]].`,
  });
}

/** Returns the KV namespace of a binding. @throws UsageError */
export function namespaceOf({ kv_namespaces, vars }: EnvironmentConfig, binding: string): string {
  const id = kv_namespaces.find((each) => each.binding === binding)?.id;
  if (id !== undefined && NAMESPACE_ID.test(id)) return id;
  const problem = id === undefined ? 'has no id' : `has a placeholder for an id, "${id}"`;
  throw new UsageError(`the KV namespace ${binding} of ${vars.ENVIRONMENT} ${problem}`, 'usage', {
    explanation:
      `Create the namespace once: npx wrangler kv namespace create ${shellWord(id ?? binding.toLowerCase())}\n` +
      `Then put the id that it prints into wrangler.toml, at [[env.${vars.ENVIRONMENT}.kv_namespaces]]\n` +
      `with binding = "${binding}", and deploy.`,
  });
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
