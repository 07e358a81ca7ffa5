/** What several token commands take: a public id, and the file that a new token is written to. */
import type { Command } from 'commander';
import { UsageError } from '../../cli/command-error.ts';
import { userPath } from '../../cli/option-values.ts';

export interface OutOptions {
  /** File to write the new token to; without it, it is printed. */
  readonly out?: string;
}

const ID_PATTERN = /^[0-9a-f]{4,12}$/;

/** Gives a command the public id of a token, or the first digits of one. */
export function declareId(command: Command): void {
  command.argument('<id>', 'public id of the token, or its first digits (at least 4)', readId);
}

export function declareOut(command: Command): void {
  command.option(
    '--out <file>',
    'write the token to a new file that only its owner can read, instead of printing it',
    userPath,
  );
}

function readId(text: string): string {
  const id = text.toLowerCase();
  if (ID_PATTERN.test(id)) return id;
  // Not repeated: it may be the secret itself.
  throw new UsageError(
    'a token goes by its public id: 12 hexadecimal digits, or the first of them (at least 4; see token list)',
  );
}
