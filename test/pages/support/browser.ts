/**
 * Tests in a browser. Where there is none they are skipped, and say so; with BROWSER_TESTS=required
 * (`.ci/run`) they fail instead.
 */
import { describe } from 'vitest';
import { program } from './open-browser.ts';

export { openBrowser, PATIENCE } from './open-browser.ts';

/** `describe` where there is a browser; elsewhere it skips, loudly. */
export const describeInBrowser = program === null ? skipLoudly : describe;

function skipLoudly(name: string, tests: () => void): void {
  console.warn(`SKIPPED, for there is no browser (install chromium or set CHROME_PATH): ${name}`);
  describe.skip(name, tests);
}
