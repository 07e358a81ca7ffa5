/**
 * Has wrangler build the Worker of an environment and put it live, and npm list what is in it. First sees that the
 * environment has what a Worker needs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Environment } from '../../src/auth/token.ts';
import { FORMAT_VERSION, pointerKeyIn } from '../../src/snapshot/keys.ts';
import { CommandError, InterruptedError } from '../cli/command-error.ts';
import { PROJECT_FOLDER, WRANGLER_PROGRAM } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { OLDEST_VERSION, readPointer } from '../release/open-log.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import {
  type EnvironmentConfig,
  openRemote,
  readEnvironmentConfig,
} from '../storage/open-target.ts';

const STDERR = 2;

/** Wrangler was ended at any point of its work. */
const WHO_KNOWS = 'whether the Worker is live, "npx wrangler deployments list" tells';

type DeployedEnvironment = Exclude<Environment, 'development'>;

interface DeployOptions {
  readonly env: DeployedEnvironment;
  readonly outdir?: string;
}

export async function run(
  { env, outdir }: DeployOptions,
  context: CommandContext,
  further: readonly string[],
) {
  const { target } = await openRemote(env, context);
  expectDomain(await readEnvironmentConfig(env));
  await expectPublished(env, target);
  const folder = outdir ?? resolve(PROJECT_FOLDER, 'dist/deploy', env);
  await deployByWrangler(env, folder, further, context);
  const billOfMaterials = await writeBillOfMaterials(folder);
  return {
    data: { environment: env, outdir: folder, billOfMaterials },
    text: `All packages are in ${billOfMaterials}`,
  };
}

/** The repository ships with such names, which are reserved for examples (RFC 2606). */
const EXAMPLE_DOMAIN = /(^|\.)example\.com$/;

/**
 * Checks the domain. A Worker is reached by a domain of the operator alone: wrangler.toml turns off the addresses that
 * Cloudflare would give it.
 * @throws CommandError domain_missing when there is none, or only the example of the repository
 */
function expectDomain({ routes = [], vars }: EnvironmentConfig): void {
  const domains = routes.flatMap((route) =>
    typeof route === 'object' && route.custom_domain ? [route.pattern] : [],
  );
  if (domains.some((domain) => !EXAMPLE_DOMAIN.test(domain))) return;
  const message = `wrangler.toml lacks a domain of yours for ${vars.ENVIRONMENT}. Nothing was deployed`;
  throw new CommandError(message, 'domain_missing', {
    explanation: `Put the name under which partners are to reach it into wrangler.toml, at [env.${vars.ENVIRONMENT}].\nIts zone has to be in your Cloudflare account:\n\n  routes = [{ pattern = "stores.your-zone.com", custom_domain = true }]\n\ndocs/operations.md, "One-time set-up", has the whole order.`,
  });
}

/** Checks for stores. @throws CommandError version_unpublished when only older Workers find some in `target` */
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

/**
 * Deploys by wrangler.
 * @param folder where its build stays
 * @param further other arguments of wrangler deploy
 * @throws CommandError deploy_failed when wrangler ends with anything but 0; InterruptedError when it
 *   was interrupted besides
 */
export async function deployByWrangler(
  environment: DeployedEnvironment,
  folder: string,
  further: readonly string[],
  { json, signal }: CommandContext,
): Promise<void> {
  const config = process.env.STORE_DIRECTORY_CONFIG;
  const where = ['--env', environment, ...(config === undefined ? [] : ['--config', config])];
  const program = [WRANGLER_PROGRAM, 'deploy', ...where, '--outdir', folder, ...further];
  const child = spawn(process.execPath, program, {
    // Standard output is for our own JSON then.
    stdio: ['inherit', json ? STDERR : 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  // The Worker is live, even if the command was interrupted.
  if (code === 0) return;
  if (signal.aborted) throw new InterruptedError(WHO_KNOWS);
  throw new CommandError('wrangler deploy failed, see above', 'deploy_failed');
}

/**
 * Writes the software bill of materials as CycloneDX, by the lock file. Packages that build and test are in it, too, and marked:
 * what is bundled into pages is one of them for npm.
 * @returns the file
 * @throws CommandError bill_of_materials_failed; wrangler has done its work by then
 */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const path = join(folder, 'sbom.cdx.json');
  await using file = await open(path, 'w');
  const child = spawn('npm sbom --sbom-format cyclonedx --package-lock-only', {
    cwd: PROJECT_FOLDER,
    stdio: ['ignore', file.fd, 'inherit'],
    shell: true,
  });
  const [code] = await once(child, 'exit');
  if (code === 0) return path;
  const message = 'wrangler is done, but the bill of materials could not be made, see above';
  throw new CommandError(message, 'bill_of_materials_failed');
}
