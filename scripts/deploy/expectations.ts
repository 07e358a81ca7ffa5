/** What an environment must have before a Worker goes live there. */
import type { Environment } from '../../src/auth/token.ts';
import { FORMAT_VERSION, pointerKeyIn } from '../../src/snapshot/keys.ts';
import { CommandError } from '../cli/command-error.ts';
import { shellWord } from '../cli/output.ts';
import { readPointer } from '../release/open-log.ts';
import { OLDEST_VERSION } from '../release/right-log.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { type EnvironmentConfig, NAMESPACE_ID } from '../storage/remote-place.ts';

export type DeployedEnvironment = Exclude<Environment, 'development'>;

/**
 * The repository ships with names in place of ids; wrangler would send them to Cloudflare, which
 * refuses them one at a time.
 * @throws CommandError ids_missing when a KV namespace has none
 */
export function expectIds({ kv_namespaces, vars }: EnvironmentConfig): void {
  const environment = String(vars.ENVIRONMENT);
  const missing = kv_namespaces.filter(({ id = '' }) => !NAMESPACE_ID.test(id));
  if (missing.length === 0) return;
  const found = missing.map(({ binding, id = '' }) => `${binding} has "${id}"`).join(', ');
  const message = `wrangler.toml lacks the ids of ${environment}: ${found}. Nothing was deployed`;
  throw new CommandError(message, 'ids_missing', {
    explanation: `Create each namespace once, and put the id that is printed into wrangler.toml, at\n[[env.${environment}.kv_namespaces]]:\n\n${missing
      .map(({ binding, id = binding }) => `  npx wrangler kv namespace create ${shellWord(id)}`)
      .join('\n')}\n\ndocs/operations.md, "One-time set-up", has the whole order.`,
  });
}

/** The repository ships with such names, which are reserved for examples (RFC 2606). */
const EXAMPLE_DOMAIN = /(^|\.)example\.com$/;

/**
 * A Worker is reached by a domain of the operator alone: wrangler.toml turns off the addresses that
 * Cloudflare would give it.
 * @throws CommandError domain_missing when there is none, or only that of the repository
 */
export function expectDomain({ routes = [], vars }: EnvironmentConfig): void {
  const environment = String(vars.ENVIRONMENT);
  const domains = routes.flatMap((route) =>
    typeof route === 'object' && route.custom_domain === true ? [route.pattern] : [],
  );
  const placeholder = domains.find((domain) => EXAMPLE_DOMAIN.test(domain));
  if (domains.length > 0 && placeholder === undefined) return;
  const found =
    placeholder === undefined ? 'no custom domain is there' : `"${placeholder}" is none`;
  const message = `wrangler.toml lacks the domain of ${environment}: ${found}. Nothing was deployed`;
  throw new CommandError(message, 'domain_missing', {
    explanation: `Put the name under which partners are to reach ${environment} into wrangler.toml, at\n[env.${environment}]. Its zone has to be in your Cloudflare account:\n\n  routes = [{ pattern = "stores.your-zone.com", custom_domain = true }]\n\ndocs/operations.md, "One-time set-up", has the whole order.`,
  });
}

/** @throws CommandError version_unpublished when only older Workers find stores in `target` */
export async function expectPublished(
  environment: DeployedEnvironment,
  target: SnapshotTarget,
): Promise<void> {
  const pointer = await readPointer(target);
  if (pointer && pointer !== 'unreadable') return;
  for (let version = FORMAT_VERSION - 1; version >= OLDEST_VERSION; version--) {
    if (!(await target.objects.get(pointerKeyIn(version)))) continue;
    const message = `${environment} has stores of format version ${version} and none of version ${FORMAT_VERSION}, which this Worker reads: nothing was deployed`;
    throw new CommandError(message, 'version_unpublished', {
      explanation: `Publish with this version first, then deploy again:\n\n  npm run snapshot -- publish --source FILE --env ${environment} --remote\n\nThe Worker that is live does not notice. docs/operations.md, "An upgrade", has the whole order.`,
    });
  }
}
