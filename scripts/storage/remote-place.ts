/** Where on Cloudflare's platform an environment keeps its data: what wrangler.toml binds. */
import { resolve } from 'node:path';
import type { Unstable_Config } from 'wrangler';
import type { Environment } from '../../src/auth/token.ts';
import { UsageError } from '../cli/command-error.ts';
import { isKv, PROJECT_FOLDER } from '../cli/platform.ts';
import { shellWord } from '../cli/shell-word.ts';

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

/** Development is nowhere but on this machine. @throws UsageError */
export function refuseDevelopment(environment: Environment): void {
  if (environment !== 'development') return;
  throw new UsageError('--remote needs --env staging or --env production: development is local');
}

/**
 * Where snapshots are, as SNAPSHOT_STORE says: in a namespace, or, where there is none, in the bucket, which
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

/** The KV namespace of a binding. @throws UsageError */
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
