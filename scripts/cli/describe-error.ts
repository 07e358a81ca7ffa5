/** What an error means to whoever ran a command: an exit code and words. */
import { CommanderError } from 'commander';
import { CommandError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE } from './command-error.ts';
import { visible } from './output.ts';

/** The command was stopped from outside. */
export class InterruptedError extends Error {
  constructor() {
    super('interrupted');
    this.name = 'InterruptedError';
  }
}

export interface ErrorDescription {
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
  if (error instanceof CommandError) return error;
  if (error instanceof InterruptedError) {
    return { exitCode: EXIT_INTERRUPTED, code: 'interrupted', message: error.message };
  }
  if (error instanceof CommanderError) {
    const message = visible(error.message.replace(/^error: /, '').replaceAll('\n', ' '));
    return { exitCode: EXIT_USAGE, code: 'usage', message, hint: 'see --help' };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { exitCode: EXIT_FAILED, code: 'unexpected', message, hint: '--verbose says more' };
}

/** Stack traces of an error and of what caused it. */
export function describeStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${describeStack(error.cause)}` : '';
  return `${error.stack ?? error.message}${cause}`;
}
