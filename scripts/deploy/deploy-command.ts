/**
 * Deploys the Worker, unless that would leave the environment without stores: a Worker reads the
 * snapshots of its own format version alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Option } from 'commander';
import type { Environment } from '../../src/auth/token.ts';
import { FORMAT_VERSION } from '../../src/snapshot/keys.ts';
import { ensurePages } from '../../web/build/ensure-pages.ts';
import { CommandError } from '../cli/command-error.ts';
import { wranglerProgram } from '../cli/platform.ts';
import { type CommandContext, defineCommand } from '../cli/run-command.ts';
import { OLDEST_VERSION } from '../release/log.ts';
import { readPointer } from '../release/pointer-copy.ts';
import { pointerKeyOf } from '../release/prune-version.ts';
import type { SnapshotTarget } from '../storage/key-value-store.ts';
import { openRemoteTarget } from '../storage/open-remote.ts';

const STANDARD_ERROR = 2;

interface DeployOptions {
  readonly env: Exclude<Environment, 'development'>;
}

export const deployCommand = defineCommand<DeployOptions>('deploy', {
  summary:
    'Put the Worker of an environment live. Refused while stores are published there for an older Worker and none for this one. Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.',
  declare: (command) => {
    command
      .addOption(
        new Option('--env <environment>', 'whose Worker')
          .choices(['staging', 'production'])
          .makeOptionMandatory(),
      )
      .argument('[arguments...]', 'what else wrangler deploy takes, such as --dry-run')
      .allowUnknownOption();
  },
  examples: [
    ['--env staging', 'looks whether stores are published there, then deploys'],
    ['--env production --dry-run --outdir dist/worker', 'looks too, and only builds the Worker'],
  ],
  run: async ({ env }, context, ...args) => {
    await expectPublished(env, await openRemoteTarget(env, context));
    // Commander gives the last argument, which takes many, as an array.
    const further = args.flat();
    await ensurePages();
    await runWrangler(env, further, context);
    return { data: { environment: env, arguments: further }, text: () => '' };
  },
});

/** @throws CommandError version_unpublished when only older Workers find stores in `target` */
export async function expectPublished(
  environment: Environment,
  target: SnapshotTarget,
): Promise<void> {
  if (await readPointer(target)) return;
  for (let version = FORMAT_VERSION - 1; version >= OLDEST_VERSION; version--) {
    if (!(await target.objects.get(pointerKeyOf(version)))) continue;
    const message = `${environment} has stores of format version ${version} and none of version ${FORMAT_VERSION}, which this Worker reads: nothing was deployed`;
    throw new CommandError(message, {
      code: 'version_unpublished',
      details: { environment, published: version, wanted: FORMAT_VERSION },
      explanation: `Publish with this version first, then deploy again:\n\n  npm run snapshot -- publish --source FILE --env ${environment} --remote\n\nThe Worker that is live does not notice. docs/operations.md, "An upgrade", has the whole order.`,
    });
  }
}

/** @throws CommandError deploy_failed when wrangler ends with anything but 0 */
async function runWrangler(
  environment: Environment,
  further: readonly string[],
  { json, signal }: CommandContext,
): Promise<void> {
  const config = process.env.STORE_DIRECTORY_CONFIG;
  const where = ['--env', environment, ...(config === undefined ? [] : ['--config', config])];
  const program = [wranglerProgram(), 'deploy', ...where, ...further];
  const child = spawn(process.execPath, program, {
    // Standard output is for our own JSON then.
    stdio: ['inherit', json ? STANDARD_ERROR : 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  signal.throwIfAborted();
  if (code === 0) return;
  throw new CommandError('wrangler deploy failed, see above', { code: 'deploy_failed' });
}
