/**
 * Python 3 and PHP, for the tests of examples. A machine may lack them; `.ci/run` sees to it that they
 * are there.
 */
import { execFileSync } from 'node:child_process';
import { describe } from 'vitest';

/** A program that does nothing, by the command that runs it. */
const NOTHING = { python3: ['-c', ''], php: ['-r', ''] } as const;

type Command = keyof typeof NOTHING;

/** Tests that need `command`. Without it they say that they were skipped, or fail in CI. */
export function describeWith(command: Command, tests: () => void): void {
  const isThere = hasCommand(command);
  if (!isThere && process.env.LANGUAGE_TESTS === 'required') {
    throw new Error(`there is no ${command}, and LANGUAGE_TESTS=required allows no skip`);
  }
  if (!isThere) console.warn(`SKIPPED: examples that need ${command}, which is not on the PATH`);
  describe.skipIf(!isThere)(`with ${command}`, tests);
}

function hasCommand(command: Command): boolean {
  try {
    execFileSync(command, NOTHING[command], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
