/** A page in a browser, and everything that went wrong on it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { PATIENCE } from './open-browser.ts';

export interface Visit {
  readonly page: Page;
  /** Errors of the console, requests that failed or left the origin. */
  readonly faults: string[];
  close(): Promise<void>;
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Where logos of invented stores would lie: without the network there are none. */
export const LOGOS = 'https://images.example/';

/** Opens `url` with nothing remembered. No request is intercepted: that turns the browser's cache off. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    // Half the pixels each way: without a graphics card they cost more than all that is tested.
    deviceScaleFactor: 0.5,
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const faults = collectFaults(page, new URL(url).origin);
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

function collectFaults(page: Page, origin: string): string[] {
  const faults: string[] = [];
  const note = (fault: string, url: string) => {
    if (!url.startsWith(LOGOS)) faults.push(`${fault}: ${url}`);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()}`, message.location().url);
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Pages give up requests whose answers they no longer need.
    if (why !== 'net::ERR_ABORTED') note(`failed: ${why}`, request.url());
  });
  page.on('request', (request) => {
    const { protocol, origin: asked, href } = new URL(request.url());
    if (asked !== origin && protocol !== 'data:') note('left the origin', href);
  });
  return faults;
}

/** Clicks on the button of this name. */
export function click(part: Page | Locator, name: string | RegExp): Promise<void> {
  return part.getByRole('button', { name }).click();
}

/** The rules of axe that the page breaks as it is, each with how many elements break it. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${await readFile(AXE, 'utf8')};0`);
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => \`\${id} (\${nodes.length})\`))`);
}

/** How many pixels of the page, or of its header, which may be fixed, lie beyond the right edge of the window. */
export function overhang(page: Page): Promise<number> {
  return page.evaluate(`Math.max(
    ...[document.documentElement, document.querySelector('.bar')].map(({ scrollWidth }) => scrollWidth),
  ) - innerWidth`);
}
