/** Python 3, for the tests of examples. A machine may lack it; `.ci/run` sees to it that one is there. */
import { execFileSync } from 'node:child_process';
import { describe } from 'vitest';

const PYTHON = 'python3';

/** Tests that need Python. Where there is none they say that they were skipped, or fail in CI. */
export function describeWithPython(tests: (python: string) => void): void {
  const isThere = hasPython();
  if (!isThere && process.env.PYTHON_TESTS === 'required') {
    throw new Error('there is no Python 3, and PYTHON_TESTS=required allows no skip');
  }
  if (!isThere) console.warn('SKIPPED: examples in Python, for there is no python3 on the PATH');
  describe.skipIf(!isThere)('with Python', () => tests(PYTHON));
}

function hasPython(): boolean {
  try {
    execFileSync(PYTHON, ['-c', ''], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
