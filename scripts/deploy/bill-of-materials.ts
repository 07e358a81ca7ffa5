/** The software bill of materials of what is deployed. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError, messageOf } from '../cli/command-error.ts';
import { PROJECT_FOLDER } from '../cli/platform.ts';

/** Much more than npm prints. */
const LONGEST_OUTPUT = 1 << 26;

/**
 * Writes the bill as CycloneDX, by the lock file. Packages that build and test are in it, too, and marked:
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
    throw new CommandError(message, { code: 'bill_of_materials_failed', cause });
  }
}
