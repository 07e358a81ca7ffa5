/** The ways in which a command ends without success, each with its exit code. Says in words what the file system refuses. */
import { getSystemErrorMessage } from 'node:util';

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** Of a process ended by SIGINT, by convention of shells. */
export const EXIT_INTERRUPTED = 130;

interface CommandErrorOptions {
  /** Further members of `error` under `--json`. */
  readonly details?: object;
  /** What people read below the message, several lines perhaps. */
  readonly explanation?: string | null;
  readonly cause?: unknown;
}

/** The operation failed for a reason that the message explains. Exit code 1. */
export class CommandError extends Error {
  readonly exitCode: number = EXIT_FAILED;
  readonly code: string;
  readonly details: object;
  readonly explanation: string | null;

  /** @param code stable word for machines, the `error.code` of `--json` */
  constructor(
    message: string,
    code = 'failed',
    { details = {}, explanation = null, cause }: CommandErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    this.details = details;
    this.explanation = explanation;
  }
}

/** The command was called the wrong way: unknown option, missing file, bad value. Exit code 2. */
export class UsageError extends CommandError {
  override readonly exitCode = EXIT_USAGE;

  constructor(message: string, code = 'usage', options?: CommandErrorOptions) {
    super(message, code, options);
  }
}

/** The command was stopped from outside. */
export class InterruptedError extends CommandError {
  override readonly exitCode: number;

  /**
   * @param outcome what has become of the work, for the message: `release … is not live`
   * @param exitCode 0 when the work was done all the same
   */
  constructor(outcome?: string, details = {}, exitCode = EXIT_INTERRUPTED) {
    const message = outcome === undefined ? 'interrupted' : `interrupted: ${outcome}`;
    super(message, 'interrupted', { details });
    this.exitCode = exitCode;
  }
}

/** Returns the message of an error, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns why the file system refused something, in words: `permission denied`. */
export function reasonOf({ errno, message }: NodeJS.ErrnoException): string {
  return errno === undefined ? message : getSystemErrorMessage(errno);
}

/**
 * Returns a handler for errors of work that writes to `path`.
 * The handler throws CommandError cannot_write, which says why, in place of errors of the file system, and others
 * as they are.
 */
export function cannotWrite(path: string) {
  return (cause: unknown): never => {
    if (!isFileSystemError(cause)) throw cause;
    const message = `cannot write "${path}": ${reasonOf(cause)}`;
    throw new CommandError(message, 'cannot_write', { cause });
  };
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  // Of a program that cannot be started it is no file.
  return error instanceof Error && 'syscall' in error && !String(error.syscall).startsWith('spawn');
}
