/** Options that several commands take: on which storage they work, who signs, and from which stores. */
import { userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { ENVIRONMENTS, type Environment } from '../../src/auth/token.ts';
import { integerFrom, textOption, userPath, userPathOrStream } from './option-values.ts';

/** Which storage a command works on. */
export interface PlaceOptions {
  readonly env: Environment;
  /** On Cloudflare's platform; else on this machine, where `wrangler dev` reads. */
  readonly remote?: boolean;
}

/** Gives a command `--env` and `--remote`. */
export function declarePlace(command: Command): void {
  const environment = new Option('--env <environment>', 'environment to work on');
  command
    .addOption(environment.choices(ENVIRONMENTS).default('development'))
    .option(
      '--remote',
      "work on Cloudflare's platform instead of this machine; needs CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID",
    );
}

/** `production, on Cloudflare`, `production, on this machine`; development is nowhere else. */
export function placeName({ env, remote = false }: PlaceOptions): string {
  if (env === 'development') return env;
  return `${env}, on ${remote ? 'Cloudflare' : 'this machine'}`;
}

/**
 * What to say when an environment that partners reach was named without `--remote`: without that
 * a command works on this machine, whatever the environment. Null otherwise.
 */
export function placeHint({ env, remote = false }: Partial<PlaceOptions>): string | null {
  if (remote || env === undefined || env === 'development') return null;
  return `(${env} on this machine, which partners do not reach; with --remote on Cloudflare's platform)`;
}

const MAX_TEXT_LENGTH = 300;

/** Who decided, and what they say about it. */
export type Signature = ReturnType<typeof signatureOf>;

export interface SignatureChoice {
  readonly author?: string;
  readonly note?: string;
}

/** Gives a command `--author` and `--note`. */
export function declareSignature(command: Command): void {
  const author =
    'your name in the log (default: the address of the job that runs this, else the user of this machine)';
  command
    .addOption(textOption('--author <name>', author, MAX_TEXT_LENGTH))
    .addOption(textOption('--note <text>', 'the reason, for the log', MAX_TEXT_LENGTH));
}

export function signatureOf({ author = authorName(), note }: SignatureChoice) {
  return { by: author, note: note ?? null };
}

/** A run of GitHub's or GitLab's jobs by its address, which says more than `runner` does. */
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

export function sourceOption(): Option {
  return new Option(
    '--source <file>',
    'store export: NDJSON or a JSON array, plain or gzip; - for standard input',
  ).argParser(userPathOrStream);
}

export function defaultsOption(): Option {
  return new Option(
    '--defaults <file>',
    'values for fields that stores of the export lack: a JSON object with some fields of a store, not id, slug and geo',
  ).argParser(userPath);
}

export function expectStoresOption(): Option {
  return new Option(
    '--expect-stores <number>',
    'fail unless the export has exactly this many stores: a file that was cut off can look whole',
  ).argParser(integerFrom(0));
}

export function skipInvalidOption(): Option {
  return new Option('--skip-invalid', 'leave out faulty stores, and say which');
}

/** Gives a command a choice between a source and a folder made by `build`. */
export function declareReleaseChoice(command: Command): void {
  command
    .addOption(sourceOption().conflicts('snapshot'))
    .addOption(defaultsOption().conflicts('snapshot'))
    .option('--snapshot <folder>', 'folder made by build', userPath)
    .addOption(skipInvalidOption().conflicts('snapshot'))
    .addOption(expectStoresOption());
}
