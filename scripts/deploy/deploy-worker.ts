/** Has wrangler build the Worker of an environment and put it live, and npm list what is in it. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CommandError, InterruptedError, messageOf } from '../cli/command-error.ts';
import { PROJECT_FOLDER, wranglerProgram } from '../cli/platform.ts';
import type { CommandContext } from '../cli/run-command.ts';
import { openRemoteTarget } from '../storage/open-target.ts';
import { readEnvironmentConfig } from '../storage/remote-place.ts';
import {
  type DeployedEnvironment,
  expectDomain,
  expectIds,
  expectPublished,
} from './expectations.ts';

const STANDARD_ERROR = 2;

/** Wrangler was ended at any point of its work. */
const WHO_KNOWS = 'whether the Worker is live, "npx wrangler deployments list" tells';

interface DeployOptions {
  readonly env: DeployedEnvironment;
  readonly outdir?: string;
}

export async function run(
  { env, outdir }: DeployOptions,
  context: CommandContext,
  ...args: string[]
) {
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
  if (signal.aborted) throw new InterruptedError(WHO_KNOWS);
  throw new CommandError('wrangler deploy failed, see above', 'deploy_failed');
}

/** Much more than npm prints. */
const LONGEST_OUTPUT = 1 << 26;

/**
 * Writes the software bill of materials as CycloneDX, by the lock file. Packages that build and test are in it, too, and marked:
 * what is bundled into pages is one of them for npm.
 * @returns the file
 * @throws CommandError bill_of_materials_failed; wrangler has done its work by then
 */
export async function writeBillOfMaterials(folder: string): Promise<string> {
  const order = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const file = join(folder, 'sbom.cdx.json');
  try {
    const { stdout } = await promisify(execFile)('npm', order, {
      cwd: PROJECT_FOLDER,
      maxBuffer: LONGEST_OUTPUT,
      // npm is a batch file on Windows, which only a shell runs.
      shell: process.platform === 'win32',
    });
    await writeFile(file, stdout);
    return file;
  } catch (cause) {
    // What npm says has several lines.
    const line = messageOf(cause)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' ');
    const message = `wrangler is done, but the bill of materials could not be made: ${line}`;
    throw new CommandError(message, 'bill_of_materials_failed', { cause });
  }
}
