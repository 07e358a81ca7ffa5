/**
 * `npm run deploy`: deploys the Worker, unless something is missing without which it would fail: ids or the domain in
 * wrangler.toml, or stores of the format version that it reads. What was built stays in a folder, with a bill of
 * materials beside it.
 */
import { Argument, Option } from 'commander';
import { userPath } from './cli/common-options.ts';
import { defineCommand, runProgram } from './cli/run-command.ts';

const deployCommand = defineCommand('npm run deploy --', {
  summary:
    'Deploy the Worker of an environment. Stops if wrangler.toml lacks an id or the domain, or if the stores that are published there are all for an older Worker; an environment without stores is deployed. Needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.',
  args: [new Argument('[arguments...]', 'more arguments for wrangler deploy, such as --dry-run')],
  options: [
    new Option('--env <environment>', 'environment to deploy to')
      .choices(['staging', 'production'])
      .makeOptionMandatory(),
    new Option(
      '--outdir <folder>',
      'folder for the built Worker and its bill of materials (default: dist/deploy/ENV)',
    ).argParser(userPath),
  ],
  examples: [
    ['--env staging', 'checks that all it needs is there, then deploys'],
    ['--env production --dry-run', 'checks the same and builds the Worker, but deploys nothing'],
  ],
  load: () => import('./deploy/deploy-worker.ts'),
});

await runProgram(deployCommand.allowUnknownOption());
