/** What several token commands take: a public id, and the file that a new token is written to. */
import { type Command, Option } from 'commander';
import { UsageError } from '../../cli/command-error.ts';
import { declarePlace, type PlaceOptions } from '../../cli/environment-option.ts';
import { userPath } from '../../cli/option-values.ts';

export interface OutOptions extends PlaceOptions {
  /** File to write the new token to; without it, it is printed. */
  readonly out?: string;
}

const ID_PATTERN = /^[0-9a-f]{4,12}$/;

/** Gives a command the public id of a token, or the first digits of one, and where that token is. */
export function declareId(command: Command): void {
  command.argument('<id>', 'public id, or its first digits (at least 4)', readId);
  declarePlace(command, 'whose tokens');
}

export function outOption(): Option {
  return new Option(
    '--out <file>',
    'write the token to a new file that its owner alone can read, and do not print it',
  ).argParser(userPath);
}

function readId(text: string): string {
  const id = text.toLowerCase();
  if (ID_PATTERN.test(id)) return id;
  // Not repeated: it may be the secret itself.
  throw new UsageError(
    'a token goes by its public id: 12 hexadecimal digits, or the first of them (at least 4; see token list)',
  );
}
