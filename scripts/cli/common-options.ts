/**
 * Options that several commands take: on which storage they work, who signs, and from which stores; and how values of
 * options are read.
 */
import { userInfo } from 'node:os';
import { relative, resolve } from 'node:path';
import { Argument, InvalidArgumentError, Option } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../src/auth/token.ts';
import { UsageError } from './command-error.ts';
import { formatCount, visible } from './output.ts';
import { PROJECT_FOLDER } from './platform.ts';

/** Which storage a command works on. */
export interface PlaceOptions {
  readonly env: Environment;
  /** On Cloudflare's platform; else on this machine, where `wrangler dev` reads. */
  readonly remote?: boolean;
}

/** `--env` and `--remote`. */
export const PLACE_OPTIONS = [
  new Option('--env <environment>', 'environment to work on')
    .choices(ENVIRONMENTS)
    .default('development'),
  new Option(
    '--remote',
    "work on Cloudflare's platform instead of this machine; needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
  ),
];

/** Returns `production, on Cloudflare` or `production, on this machine`; development is nowhere else. */
export function placeName({ env, remote }: PlaceOptions): string {
  if (env === 'development') return env;
  return `${env}, on ${remote ? 'Cloudflare' : 'this machine'}`;
}

const MAX_TEXT_LENGTH = 300;

/** Who decided, and what they say about it. */
export type Signature = ReturnType<typeof signatureOf>;

export interface SignatureChoice {
  readonly author?: string;
  readonly note?: string;
}

/** `--author` and `--note`. */
export const SIGNATURE_OPTIONS = [
  textOption(
    '--author <name>',
    'your name in the log (default: the address of the job that runs this, else the user of this machine)',
    MAX_TEXT_LENGTH,
  ),
  textOption('--note <text>', 'the reason, for the log', MAX_TEXT_LENGTH),
];

export function signatureOf({ author = authorName(), note }: SignatureChoice) {
  return { by: author, note: note ?? null };
}

/** Returns a run of GitHub's or GitLab's jobs by its address, which says more than `runner` does. */
function authorName(): string {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL } = process.env;
  if (GITHUB_REPOSITORY && GITHUB_RUN_ID) {
    return `${GITHUB_SERVER_URL ?? 'https://github.com'}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}`;
  }
  if (CI_JOB_URL) return CI_JOB_URL;
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the password file.
    return 'unknown';
  }
}

export interface SourceChoice {
  readonly source: string;
  /** A file with values for what its stores do not have. */
  readonly defaults?: string;
  /** How many stores it is to hold: a file that was cut off at the end of a line looks whole. */
  readonly expectStores?: number;
  /** Whether faulty stores are left out. */
  readonly skipInvalid?: boolean;
}

export interface ReleaseChoice extends Partial<SourceChoice> {
  readonly snapshot?: string;
}

/** Returns the option anew: some commands make it mandatory. */
export function sourceOption(): Option {
  return new Option(
    '--source <file>',
    'store export: NDJSON or a JSON array, plain or gzip; - for standard input',
  ).argParser(userPath);
}

export const DEFAULTS_OPTION = new Option(
  '--defaults <file>',
  'values for fields that stores of the export lack: a JSON object with some fields of a store, not id, slug and geo',
).argParser(userPath);

export const SKIP_INVALID_OPTION = new Option(
  '--skip-invalid',
  'leave out faulty stores, and say which',
);

export const EXPECT_STORES_OPTION = new Option(
  '--expect-stores <number>',
  'fail unless the export has exactly this many stores: a file that was cut off can look whole',
).argParser(integerFrom(0));

/** A choice between a source and a folder made by `build`. */
export const RELEASE_OPTIONS = [
  sourceOption(),
  DEFAULTS_OPTION,
  SKIP_INVALID_OPTION,
  EXPECT_STORES_OPTION,
  new Option('--snapshot <folder>', 'folder made by build')
    .argParser(userPath)
    .conflicts(['source', 'defaults', 'skipInvalid', 'expectStores']),
];

/**
 * Parses an option's value that is an integer between two bounds, both included; digits alone.
 * @param max left out: where numbers stop being exact
 * @throws InvalidArgumentError with the bounds
 */
export function integerFrom(
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(
      `Expected an integer from ${formatCount(min)} to ${formatCount(max)}.`,
    );
  };
}

/**
 * Returns an option that takes a text of one line, of at most `maxLength` characters, without the blanks at its ends.
 * The text is not repeated in refusals: it may be anything.
 * @throws UsageError when it is blank, too long, or not of one line
 */
export function textOption(flags: string, description: string, maxLength: number): Option {
  const option = new Option(flags, description);
  return option.argParser((given) => {
    const text = given.trim();
    if (visible(text) !== text) {
      throw new UsageError(`${option.long} has an invisible character or a line break`);
    }
    if (text === '') throw new UsageError(`${option.long} is blank`);
    if (text.length > maxLength) {
      const got = `${option.long}: got ${text.length} characters`;
      throw new UsageError(`${got}, expected at most ${maxLength}`);
    }
    return text;
  });
}

/** What stands for standard input or output. */
export const STREAM_NAME = '-';

/**
 * Returns the absolute path that `text` means where the user is: npm runs its scripts in the project folder and says
 * in INIT_CWD from where it was called. The name of a stream stays as it is.
 * @throws InvalidArgumentError when it is empty
 */
export function userPath(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected the name of a file or folder.');
  if (text === STREAM_NAME) return text;
  const isMoved = relative(PROJECT_FOLDER, process.cwd()) === '';
  return resolve((isMoved && process.env.INIT_CWD) || '', text);
}

const RELEASE_FORMS =
  'its name, the number of its name, its id, or at least four first digits of its id';

/** Returns the argument that names a release. @param standard what it is by default */
export function releaseArgument(standard: string): Argument {
  const description = `${RELEASE_FORMS} (default: ${standard})`;
  return new Argument('[release]', description).argParser(parseReleaseId);
}

/**
 * Reads what names a release on the command line: `3-9f2c41d07be85a36`, `3`, `9f2c41d07be85a36` or `9f2c`.
 * Returns it in lower case. @throws InvalidArgumentError
 */
export function parseReleaseId(text: string): string {
  const wanted = text.toLowerCase();
  if (/^(([1-9]\d*-)?[0-9a-f]{4,16}|[1-9]\d*)$/.test(wanted)) return wanted;
  throw new InvalidArgumentError(`Expected a release: ${RELEASE_FORMS}; snapshot list shows both.`);
}
