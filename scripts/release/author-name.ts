/** Who runs a command, for the record of what is published. */
import { userInfo } from 'node:os';

/** The actor of a CI job, else the user of this machine. */
export function authorName(): string {
  if (process.env.GITHUB_ACTOR) return process.env.GITHUB_ACTOR;
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no entry in the password file.
    return 'unknown';
  }
}
