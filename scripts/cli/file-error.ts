/** What the file system refuses, in words. */
import { CommandError } from './command-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to',
  EPERM: 'there is no permission to',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a file is in the place of a folder',
  EEXIST: 'a file is in the place of a folder',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
};

/** What a write to a file that is open already fails with: such errors name no path. */
const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Why the file system refused something, in words. */
export function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  return REASONS[code] ?? message;
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
    const details = { path, errno: cause.code };
    throw new CommandError(`cannot write "${path}": ${reasonOf(cause)}`, {
      code: 'cannot_write',
      details,
      cause,
    });
  }
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error)) return false;
  const { syscall, path, code = '' } = error as NodeJS.ErrnoException;
  // Of a program that cannot be started `path` is the program.
  if (syscall === undefined || syscall.startsWith('spawn')) return false;
  return path !== undefined || FULL.has(code);
}
