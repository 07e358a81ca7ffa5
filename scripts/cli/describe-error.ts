/** What an error means to the person who ran a command: an exit code and words. */
import { CommanderError } from 'commander';
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE } from './command-error.ts';
import { visible } from './output.ts';

interface InterruptedOptions {
  /** What has become of the work, for the message: `release … is not live`. */
  readonly outcome?: string;
  /** Further members of `error` under `--json`. */
  readonly details?: object;
  /** 0 when the work was done all the same. */
  readonly exitCode?: number;
}

/** The command was stopped from outside. */
export class InterruptedError extends CommandError {
  override readonly exitCode: number;

  constructor({ outcome, details = {}, exitCode = EXIT_INTERRUPTED }: InterruptedOptions = {}) {
    const message = outcome === undefined ? 'interrupted' : `interrupted: ${outcome}`;
    super(message, { code: 'interrupted', details });
    this.exitCode = exitCode;
  }
}

interface ErrorDescription {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly details?: object;
  readonly explanation?: string | null;
  /** Advice for people, unless they follow it already. */
  readonly hint?: string;
}

/** Errors of commands and of commander speak for themselves, any other is unexpected. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof CommandError) {
    const { exitCode, code, message, details, explanation } = error;
    return { exitCode, code, message, details, explanation };
  }
  if (error instanceof CommanderError) {
    const message = visible(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
    return { exitCode: EXIT_USAGE, code: 'usage', message, hint: 'see --help' };
  }
  const message = messageOf(error);
  return { exitCode: EXIT_FAILED, code: 'unexpected', message, hint: '--verbose says more' };
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Stack traces of an error and of what caused it. */
export function describeStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${describeStack(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
