/** Who runs a command, for the log: the job's run, or the user of this machine. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { textOption } from './option-values.ts';

const LONGEST_TEXT = 300;

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
    .addOption(textOption('--author <name>', author, LONGEST_TEXT))
    .addOption(textOption('--note <text>', 'the reason, for the log', LONGEST_TEXT));
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
