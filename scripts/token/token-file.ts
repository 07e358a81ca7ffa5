/** The file that a new token is written to, in the place of standard output: its owner alone can read it. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { CommandError } from '../cli/command-error.ts';
import { explainWriting } from '../cli/file-error.ts';
import type { IssuedToken } from './issue-token.ts';
import { lostSecret } from './token-report.ts';

const OWNER_ALONE = 0o600;

/**
 * Has `issue` issue a token, and writes that to a new file, which is made first: a secret that cannot
 * be written would be lost.
 * @param path undefined: it is printed, and nothing is written
 * @throws CommandError file_exists, cannot_write
 */
export async function keepInFile<T extends { readonly issued: IssuedToken }>(
  path: string | undefined,
  issue: () => Promise<T>,
): Promise<T> {
  if (path === undefined) return issue();
  const file = await explainWriting(path, () => createFile(path));
  let isWritten = false;
  try {
    const result = await issue();
    const { issued } = result;
    await explainWriting(path, () => file.writeFile(`${issued.token}\n`)).catch((error) => {
      throw error instanceof CommandError ? error.at(lostSecret(issued)) : error;
    });
    isWritten = true;
    return result;
  } finally {
    await file.close();
    if (!isWritten) await rm(path, { force: true });
  }
}

async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', OWNER_ALONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const message = `"${path}" is there already; name a file that is not`;
    throw new CommandError(message, { code: 'file_exists' });
  }
}
