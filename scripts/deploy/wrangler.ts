/** Has wrangler build the Worker of an environment, and put it live. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { CommandError, InterruptedError } from '../cli/command-error.ts';
import { wranglerProgram } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import type { DeployedEnvironment } from './expectations.ts';

const STANDARD_ERROR = 2;

/** Wrangler was ended at any point of its work. */
const WHO_KNOWS = 'whether the Worker is live, "npx wrangler deployments list" tells';

/**
 * @param folder where what it builds stays
 * @param further what else wrangler deploy is told
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
  const program = [wranglerProgram(), 'deploy', ...where, '--outdir', folder, ...further];
  const child = spawn(process.execPath, program, {
    // Standard output is for our own JSON then.
    stdio: ['inherit', json ? STANDARD_ERROR : 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  // The Worker is live, even if the command was interrupted.
  if (code === 0) return;
  if (signal.aborted) throw new InterruptedError({ outcome: WHO_KNOWS });
  throw new CommandError('wrangler deploy failed, see above', { code: 'deploy_failed' });
}
