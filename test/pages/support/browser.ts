/**
 * The browser of the tests of pages: the one that CHROME_PATH names, or Debian's Chromium, without
 * the network. Where there is none these tests are skipped, and say so; with BROWSER_TESTS=required
 * (`.ci/run`) they fail instead.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

/** Milliseconds that anything on a page may take: less than a test has, so that it is told by name. */
export const PATIENCE = 150_000;

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium calls no address but the pages'; as root it runs without its sandbox only. */
const FLAGS = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const program = findBrowser();

/** `describe` where there is a browser; elsewhere it skips, loudly. */
export const describeInBrowser = program === null ? skipLoudly : describe;

/** A new browser with nothing remembered. Its caller closes it. */
export function openBrowser(): Promise<Browser> {
  if (program === null) throw new Error('there is no browser');
  return chromium.launch({ executablePath: program, args: FLAGS, timeout: PATIENCE });
}

/** @throws Error when CHROME_PATH names nothing, or a browser is required and there is none */
function findBrowser(): string | null {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && !existsSync(named)) {
    throw new Error(`CHROME_PATH names ${named}, which is not there`);
  }
  const found = named ?? PLACES.find((path) => existsSync(path)) ?? null;
  if (found === null && process.env.BROWSER_TESTS === 'required') {
    throw new Error('BROWSER_TESTS=required, and there is no browser: install chromium');
  }
  return found;
}

function skipLoudly(name: string, tests: () => void): void {
  console.warn(`SKIPPED, for there is no browser (install chromium or set CHROME_PATH): ${name}`);
  describe.skip(name, tests);
}
