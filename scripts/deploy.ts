/**
 * `npm run deploy`: deploys the Worker, unless something is missing without which it would fail: ids or the domain in
 * wrangler.toml, or stores of the format version that it reads. What was built stays in a folder, with a bill of
 * materials beside it.
 */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { userPath } from './cli/option-values.ts';
import { PROJECT_FOLDER } from './cli/platform.ts';
import { type CommandContext, defineCommand, runCommand } from './cli/run-command.ts';
import { deployByWrangler, writeBillOfMaterials } from './deploy/deploy-worker.ts';
import {
  type DeployedEnvironment,
  expectDomain,
  expectIds,
  expectPublished,
} from './deploy/expectations.ts';
import { openRemoteTarget } from './storage/open-target.ts';
import { readEnvironmentConfig } from './storage/remote-place.ts';

interface DeployOptions {
  readonly env: DeployedEnvironment;
  readonly outdir?: string;
}

const deployCommand = defineCommand<DeployOptions>('deploy', {
  summary:
    'Deploy the Worker of an environment. Stops if wrangler.toml lacks an id or the domain, or if the stores that are published there are all for an older Worker; an environment without stores is deployed. Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.',
  declare: (command) => {
    command
      .addOption(
        new Option('--env <environment>', 'environment to deploy to')
          .choices(['staging', 'production'])
          .makeOptionMandatory(),
      )
      .option(
        '--outdir <folder>',
        'folder for the built Worker and its bill of materials (default: dist/deploy/ENV)',
        userPath,
      )
      .argument('[arguments...]', 'more arguments for wrangler deploy, such as --dry-run')
      .allowUnknownOption();
  },
  examples: [
    ['--env staging', 'checks that all it needs is there, then deploys'],
    ['--env production --dry-run', 'checks the same and builds the Worker, but deploys nothing'],
  ],
  run: deploy,
});

async function deploy({ env, outdir }: DeployOptions, context: CommandContext, ...args: string[]) {
  const config = await readEnvironmentConfig(env);
  expectIds(config);
  expectDomain(config);
  await expectPublished(env, await openRemoteTarget(env, context));
  // Commander gives an argument that takes many as an array.
  const further = args.flat();
  const folder = outdir ?? resolve(PROJECT_FOLDER, 'dist/deploy', env);
  await deployByWrangler(env, folder, further, context);
  const billOfMaterials = await writeBillOfMaterials(folder);
  return {
    data: { environment: env, arguments: further, outdir: folder, billOfMaterials },
    text: () => `All packages are in ${billOfMaterials}`,
  };
}

await runCommand('npm run deploy --', deployCommand);
