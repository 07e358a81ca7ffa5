/**
 * The browser of the tests of pages: the one that CHROME_PATH names, or Debian's Chromium, without
 * the network.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Milliseconds that anything on a page may take: less than a test has, so that it is told by name. */
export const PATIENCE = 150_000;

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium knows no address but the pages'. */
const FLAGS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'];

export const program = findBrowser();

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
