/** Paths as users give them on the command line. */
import { relative, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { PROJECT_FOLDER } from './platform.ts';

/** What stands for standard input or output. */
const STANDARD_STREAM = '-';

/**
 * The absolute path that `text` means where the user is: npm runs its scripts in the project folder
 * and says in INIT_CWD from where it was called.
 * @throws InvalidArgumentError when it is empty
 */
export function userPath(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a file or folder.');
  const isMoved = relative(PROJECT_FOLDER, process.cwd()) === '';
  return resolve((isMoved && process.env.INIT_CWD) || '', text);
}

/** The same where a stream may take the place of a file: `-`, which stays as it is. */
export function userPathOrStream(text: string): string {
  return text === STANDARD_STREAM ? text : userPath(text);
}
