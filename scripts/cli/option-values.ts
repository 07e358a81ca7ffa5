/** Values that several options and arguments take, as users give them on the command line. */
import { relative, resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { UsageError } from './command-error.ts';
import { visible } from './output.ts';
import { PROJECT_FOLDER } from './platform.ts';
import { formatCount } from './progress.ts';

/**
 * Parses an option's value that is an integer between two bounds, both included; digits alone.
 * @param most left out: where numbers stop being exact
 * @throws InvalidArgumentError with the bounds
 */
export function integerFrom(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(
      `Expected an integer from ${formatCount(least)} to ${formatCount(most)}.`,
    );
  };
}

/**
 * An option that takes a text of one line, of at most `longest` characters (null: any length), without
 * the blanks at its ends. The text is not repeated in refusals: it may be anything.
 * @throws UsageError when it is blank, too long, or not of one line
 */
export function textOption(flags: string, description: string, longest: number | null): Option {
  const option = new Option(flags, description);
  return option.argParser((given) => {
    const text = given.trim();
    if (visible(text) !== text) {
      throw new UsageError(`${option.long} has an invisible character or a line break`);
    }
    if (text === '') throw new UsageError(`${option.long} is blank`);
    if (longest !== null && text.length > longest) {
      const got = `${option.long}: got ${text.length} characters`;
      throw new UsageError(`${got}, expected at most ${longest}`);
    }
    return text;
  });
}

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

/** What `parseReleaseId` takes, as help has it. */
export const RELEASE_FORMS =
  'its name, the number of its name, its id, or the first digits of its id';

/**
 * Reads what names a release on the command line: `3-9f2c41d07be85a36`, `3`, `9f2c41d07be85a36` or `9f2c`.
 * Returns it in lower case. @throws UsageError
 */
export function parseReleaseId(text: string): string {
  const wanted = text.toLowerCase();
  if (/^(([1-9]\d*-)?[0-9a-f]{4,16}|[1-9]\d*)$/.test(wanted)) return wanted;
  const form =
    'its name or the number of that (see snapshot list), or its 16 hexadecimal digits, or the first of them (at least 4)';
  throw new UsageError(`got "${text}", expected the id of a release: ${form}`);
}
