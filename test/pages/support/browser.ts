/**
 * The browser of the tests of pages: the one that CHROME_PATH names, or Debian's Chromium, without
 * the network. A page in it, and everything that went wrong there.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Milliseconds that anything on a page may take: less than a test has, so that it is told by name. */
const PATIENCE = 150_000;

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium knows no address but the pages': a request that leaves their origin fails. */
const FLAGS = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'];

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where logos of invented stores would lie: without the network there are none. */
export const LOGOS = 'https://images.example/';

/** Undefined where there is none. */
export const browserProgram = process.env.CHROME_PATH ?? PLACES.find((path) => existsSync(path));

/** A new browser with nothing remembered. Its caller closes it. */
export function openBrowser(): Promise<Browser> {
  if (!browserProgram) throw new Error('there is no browser: install chromium or set CHROME_PATH');
  return chromium.launch({ executablePath: browserProgram, args: FLAGS, timeout: PATIENCE });
}

/**
 * Opens `url` with nothing remembered. No request is intercepted: that turns the browser's cache off.
 * @returns the page, and its faults: what it throws, and errors of the console, among which are all requests that fail
 */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Half the pixels each way: without a graphics card they cost more than all that is tested.
    deviceScaleFactor: 0.5,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    const { url } = message.location();
    if (message.type() === 'error' && !url.startsWith(LOGOS)) {
      faults.push(`console: ${message.text()}: ${url}`);
    }
  });
  await page.goto(url);
  return { page, faults };
}

/**
 * The rules of axe that the page breaks as it is, each with how many elements break it.
 * @param part a selector of what is looked at
 */
export async function axeViolations(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(`${await readFile(AXE, 'utf8')};0`);
  return page.evaluate(`axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => \`\${id} (\${nodes.length})\`))`);
}

/** How many pixels of the page, or of its header, which may be fixed, lie beyond the right edge of the window. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate(`Math.max(
    ...[document.documentElement, document.querySelector('.bar')].map(({ scrollWidth }) => scrollWidth),
  ) - innerWidth`);
}
