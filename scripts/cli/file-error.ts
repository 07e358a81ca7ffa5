/** What the file system refuses, in words. */
import { getSystemErrorMessage } from 'node:util';
import { CommandError } from './command-error.ts';

/** What a write to a file that is open already fails with: such errors name no path. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Why the file system refused something, in words: `permission denied`. */
export function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/**
 * Runs `work`, which writes to `path`.
 * @throws CommandError cannot_write that says why, in place of errors of the file system
 */
export async function explainWriting<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isFileSystemError(cause)) throw cause;
    const message = `cannot write "${path}": ${reasonOf(cause)}`;
    throw new CommandError(message, 'cannot_write', { cause });
  }
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { syscall, path, code = '' } = error as NodeJS.ErrnoException;
  // Of a program that cannot be started `path` is the program.
  if (syscall === undefined || syscall.startsWith('spawn')) return false;
  return path !== undefined || FULL.has(code);
}
